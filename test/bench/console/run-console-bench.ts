import type { Session } from "../../../lib/cli/frame/session.ts";
import type { BenchPart } from "../bench-row.ts";
import { terminalTable } from "../report.ts";
import { RunningService } from "../running-service.ts";
import { fillHeartRate } from "./fill-heart-rate.ts";
import { measureFirstPaint } from "./measure-first-paint.ts";
import { measurePlotFrames } from "./measure-plot-frames.ts";
import { measureUserSearch } from "./measure-user-search.ts";

/** Measures the console on a service as `npm start` runs it, and prints the tables. */
export async function runConsoleBench(session: Session): Promise<BenchPart[]> {
  const service = await RunningService.start();
  try {
    const userId = await service.createUser("plotted");
    const firstPaint = await measureFirstPaint(service);
    await fillHeartRate(service, userId);
    const parts = [firstPaint, await measurePlotFrames(service, userId), await measureUserSearch(service)];
    for (const part of parts) session.print(terminalTable(part));
    return parts;
  } finally {
    await service.stop();
  }
}
