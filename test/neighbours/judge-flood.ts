import type { FloodMeasurement } from "./measure-flood.ts";

/** How many times as long the slowest hundredth of the events of the other teams may take. */
const MAX_RATIO = 1.2;
const MAX_DRAIN_MINUTES = 60;

/** Returns what a flood did to the other teams against a run without it; empty if they did not notice it. */
export function judgeFlood(measured: FloodMeasurement, without: FloodMeasurement): string[] {
  const problems: string[] = [];
  for (const span of ["fromEvent", "fromPush"] as const) {
    const ratio = measured[span].p99 / without[span].p99;
    if (!(ratio <= MAX_RATIO)) problems.push(`the p99 ${span} of the others is ${ratio.toFixed(2)} times as long`);
  }
  const { drainedMinutes, openDeliveries } = measured;
  if (!(drainedMinutes !== undefined && drainedMinutes <= MAX_DRAIN_MINUTES))
    problems.push(`the flood is not drained within an hour: ${openDeliveries} deliveries are open after two hours`);
  return problems;
}
