import { readFileSync } from "node:fs";
import * as z from "zod";
import { recordedSpan } from "../../local/traces/recorded-span.ts";
import { type RecordedTrace, TraceLog } from "../../local/traces/trace-log.ts";
import { CommandFailed } from "../frame/command-failed.ts";
import { readLocalFile } from "./local-file.ts";
import { failureReason } from "./service-client.ts";

const recordedTrace = z.object({ trace_id: z.string(), spans: z.array(recordedSpan) });

/**
 * Reads a trace from a local service.
 * @param url address of the service; that of `npm start` by default.
 * @returns undefined if it knows no such trace.
 * @throws CommandFailed if no local service responds.
 */
export async function findLocalTrace(id: string, url?: string): Promise<RecordedTrace | undefined> {
  const baseUrl = url ?? readLocalFile()?.base_url;
  if (!baseUrl) throw new CommandFailed("No local service is running: run npm start, or set --url or --log.");
  const response = await fetch(`${baseUrl}/_local/traces/${encodeURIComponent(id)}`).catch((error: unknown) => {
    throw new CommandFailed(`The service at ${baseUrl} does not respond: ${failureReason(error)}.`);
  });
  return response.ok ? recordedTrace.parse(await response.json()) : undefined;
}

/** Finds a trace in a file of log lines. Text before the JSON of a line, such as a log stream's name, is ignored. */
export function findTraceInLog(id: string, file: string): RecordedTrace | undefined {
  const traces = new TraceLog();
  for (const line of readFileSync(file, "utf8").split("\n")) traces.take(line.slice(Math.max(0, line.indexOf("{"))));
  return traces.find(id);
}
