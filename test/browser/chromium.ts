import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const EXECUTABLE = "/usr/bin/chromium";
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];

/** Starts Debian's Chromium with a fresh profile. @throws Error with the install command if Chromium is missing. */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) throw new Error(`Browser tests need ${EXECUTABLE} (apt-get install chromium).`);
  return chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
}
