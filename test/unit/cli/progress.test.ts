import { describe, expect, test } from "vitest";
import { Progress, type ProgressOptions } from "../../../lib/cli/progress.ts";

function shown(options: ProgressOptions, isTTY: boolean) {
  const written: string[] = [];
  let now = 0;
  const stream = { isTTY, write: (text: string) => written.push(text) };
  const progress = new Progress(options, stream, () => now);
  const advance = (ms: number) => {
    now += ms;
  };
  return { progress, written, advance };
}

describe("Progress", () => {
  const reading = { label: "Reading", total: 200_000_000, unit: "bytes" };

  test("writes a plain line every five seconds when the output is not a terminal", () => {
    const { progress, written, advance } = shown(reading, false);
    for (let second = 1; second <= 12; second++) {
      advance(1_000);
      progress.update(second * 10_000_000, "9 records/s");
    }
    progress.done("Read 108 records.");
    expect(written).toEqual([
      "Reading  25 %  50.0 MB of 200.0 MB  15 s left  9 records/s\n",
      "Reading  50 %  100.0 MB of 200.0 MB  10 s left  9 records/s\n",
      "Read 108 records.\n",
    ]);
  });

  test("redraws one line with a bar on a terminal", () => {
    const { progress, written, advance } = shown(reading, true);
    progress.update(1);
    advance(200);
    progress.update(100_000_000);
    progress.done("Done.");
    const bar = "█".repeat(12) + "░".repeat(12);
    expect(written).toEqual([`\rReading  ${bar}  50 %  100.0 MB of 200.0 MB  0 s left\u001b[K`, "\rDone.\u001b[K\n"]);
  });

  test("counts when the total is unknown", () => {
    const { progress, written, advance } = shown({ label: "Storing", unit: "requests" }, false);
    advance(5_000);
    progress.update(1_234);
    expect(written).toEqual(["Storing  1,234 requests\n"]);
  });

  test("shows minutes for long durations", () => {
    const { progress, written, advance } = shown({ label: "Storing", total: 100, unit: "requests" }, false);
    advance(60_000);
    progress.update(25);
    expect(written).toEqual(["Storing  25 %  25 requests of 100 requests  3 min 0 s left\n"]);
  });
});
