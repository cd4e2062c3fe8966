import type { Page } from "playwright-core";
import { percentile } from "../../../lib/cli/load/load-report.ts";
import { launchChromium } from "../../browser/chromium.ts";
import { type BenchPart, type BenchRow, formatFigure, rowUpTo } from "../bench-row.ts";
import type { RunningService } from "../running-service.ts";
import { SAMPLES_OF_YEAR, YEAR_END, YEAR_START } from "./fill-heart-rate.ts";
import { startFrames, takeFrames } from "./frame-recorder.ts";
import { openProcessorTime } from "./processor-time.ts";
import { loadsOf } from "./series-loads.ts";

/** A frame that lasts longer looks like a stop, milliseconds (docs/console.md). */
const MOST_MS = 50;
const STEP_MS = 16;
const PHASE_MS = 5_000;
/** Time after which the page has asked for what a range needs. */
const REST_MS = 500;

/** Plays one step of a gesture. @param part place in the phase, from 0 to 1. */
type Gesture = (page: Page, part: number, box: { readonly x: number; readonly y: number }) => Promise<void>;

const none: Gesture = async () => undefined;
const drag: Gesture = ({ mouse }, part, { x, y }) => mouse.move(x + 350 * Math.sin(part * 6 * Math.PI), y);
const wheelPan: Gesture = ({ mouse }, part) => mouse.wheel(part < 0.5 ? -40 : 40, 0);
const wheelZoom: Gesture = ({ mouse }, part) => mouse.wheel(0, Math.floor(part * 4) % 2 === 0 ? -50 : 50);

/** Each phase: what is held down meanwhile, and what moves. */
const phases: readonly (readonly [name: string, held: "nothing" | "button" | "Control", gesture: Gesture])[] = [
  ["at rest", "nothing", none],
  ["drag", "button", drag],
  ["wheel, pan", "nothing", wheelPan],
  ["wheel, zoom", "Control", wheelZoom],
];

/** Pans and zooms the plot of a year in Debian's Chromium, and measures frames, requests and payloads. */
export async function measurePlotFrames(
  service: Pick<RunningService, "consoleAddress">,
  userId: string,
): Promise<BenchPart> {
  const browser = await launchChromium();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1_280, height: 860 } })).newPage();
    const loads = loadsOf(page);
    const [from, to] = [YEAR_START, YEAR_END].map((ms) => new Date(ms).toISOString());
    const place = `/users/${userId}/data?resource=heartrate&from=${from}&to=${to}`;
    const startedAt = performance.now();
    await page.goto(await service.consoleAddress(place));
    await showsAll(page);
    const rows: BenchRow[] = [plainRow("the year is complete after", performance.now() - startedAt, " ms")];
    rows.push(...loads.take().map(([name, value, unit]) => plainRow(`the year, ${name}`, value, unit)));
    await startFrames(page);
    const processorTime = await openProcessorTime(page);
    for (const [name, held, gesture] of phases) {
      rows.push(...playedRows(name, await play(page, processorTime, held, gesture)));
      await showsAll(page);
      rows.push(...loads.take().map(([what, value, unit]) => plainRow(`${name}, ${what}`, value, unit)));
    }
    return { title: `A year of heart rate in the console, ${SAMPLES_OF_YEAR.toLocaleString("en")} samples`, rows };
  } finally {
    await browser.close();
  }
}

/** Waits until the plot has all points of its range. */
async function showsAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Oura, ring/ }).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(REST_MS);
  await page.getByText("Loading…").waitFor({ state: "detached", timeout: 120_000 });
}

/** Distances of frames, and the processor time that the page needs for each step of a gesture, milliseconds. */
interface Played {
  readonly frames: readonly number[];
  readonly steps: readonly number[];
}

async function play(
  page: Page,
  processorTime: () => Promise<number>,
  held: "nothing" | "button" | "Control",
  gesture: Gesture,
): Promise<Played> {
  const box = await page.getByRole("img", { name: /^Heart ?rate/i }).boundingBox();
  if (!box) throw new Error("the plot has no place on the page");
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  if (held === "button") await page.mouse.down();
  if (held === "Control") await page.keyboard.down("Control");
  await takeFrames(page);
  const steps: number[] = [];
  const startedAt = performance.now();
  let before = await processorTime();
  for (let ms = 0; ms < PHASE_MS; ms = performance.now() - startedAt) {
    await gesture(page, ms / PHASE_MS, middle);
    await page.waitForTimeout(STEP_MS);
    const now = await processorTime();
    steps.push(now - before);
    before = now;
  }
  const frames = await takeFrames(page);
  if (held === "button") await page.mouse.up();
  if (held === "Control") await page.keyboard.up("Control");
  return { frames, steps };
}

const ascending = (values: readonly number[]) => values.toSorted((one, other) => one - other);

function playedRows(name: string, played: Played): BenchRow[] {
  const [frames, steps] = [ascending(played.frames), ascending(played.steps)];
  return [
    plainRow(`${name}, frames`, frames.length),
    plainRow(`${name}, p50 of frames`, percentile(frames, 0.5), " ms"),
    plainRow(`${name}, p95 of frames`, percentile(frames, 0.95), " ms"),
    rowUpTo(`${name}, longest frame`, MOST_MS, frames.at(-1) ?? 0, Number.NaN, " ms"),
    rowUpTo(`${name}, frames above ${MOST_MS} ms`, 0, frames.filter((ms) => ms > MOST_MS).length, Number.NaN),
    plainRow(`${name}, p95 of the page's processor time for a step`, percentile(steps, 0.95), " ms"),
    rowUpTo(`${name}, most processor time for a step`, MOST_MS, steps.at(-1) ?? 0, Number.NaN, " ms"),
  ];
}

const plainRow = (measure: string, value: number, unit = ""): BenchRow => ({
  measure,
  target: "-",
  ours: formatFigure(value) + unit,
  naive: "-",
});
