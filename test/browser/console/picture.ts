import { writeFile } from "node:fs/promises";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Where pictures go: to the documentation if the variable FIGURES names its folder, and beside the screenshots if not. */
const folder = process.env.FIGURES ?? `${import.meta.dirname}/../screenshots`;
/** The largest picture of the documentation. */
const MAX_BYTES = 80_000;
const QUALITY = 78;

/** Takes a picture of the first part of a page, as WebP. @param height its height in pixels. */
export async function takePicture(page: Page, name: string, height: number): Promise<void> {
  await page.setViewportSize({ width: 1280, height });
  await page.waitForLoadState("networkidle");
  const image = await loadImage(await page.screenshot());
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const picture = await canvas.encode("webp", QUALITY);
  expect(picture.length).toBeLessThan(MAX_BYTES);
  await writeFile(`${folder}/console-${name}.webp`, picture);
}
