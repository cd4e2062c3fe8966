import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { startDynamodb } from "../../support/dynamodb.ts";

const CONTAINER = fileURLToPath(new URL("limit-container.ts", import.meta.url));
/** Delay until all processes know the start time. */
const START_MS = 500;
const said = z.object({ accepted: z.array(z.number()), leases: z.number() });

/** The parameters of the drill. */
export interface LimitDrill {
  readonly processes: number;
  /** Requests per second that all processes together may admit. */
  readonly limit: number;
  /** Requests per second offered to each process. */
  readonly perSecond: number;
  readonly seconds: number;
}

/** Admitted requests by second, and the number of leases. */
export interface LimitReport {
  readonly accepted: readonly number[];
  readonly leases: number;
}

/** Runs processes that share only the table under one limit, on the real clock and the real engine. */
export async function runLimitDrill({ processes, limit, perSecond, seconds }: LimitDrill): Promise<LimitReport> {
  const dynamodb = await startDynamodb();
  try {
    const argv = [CONTAINER, limit, perSecond, seconds].map(String);
    const children = Array.from({ length: processes }, () =>
      spawn(process.execPath, argv, { stdio: ["pipe", "pipe", "inherit"] }),
    );
    await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
    // Limits apply to whole seconds.
    const startMs = Math.ceil((Date.now() + START_MS) / 1000) * 1000;
    const reports = await Promise.all(children.map((child) => report(child, startMs)));
    const accepted = Array.from({ length: seconds }, (_, second) =>
      reports.reduce((sum, one) => sum + (one.accepted[second] ?? 0), 0),
    );
    return { accepted, leases: reports.reduce((sum, one) => sum + one.leases, 0) };
  } finally {
    await dynamodb.stop();
  }
}

async function report(child: ChildProcessByStdio<Writable, Readable, null>, startMs: number): Promise<LimitReport> {
  child.stdin.write(String(startMs));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`a process ended with ${code}`);
  return said.parse(JSON.parse(output));
}
