import { CommandFailed } from "../../frame/command-failed.ts";
import { declareCommand } from "../../frame/declaration.ts";
import { address, argument, option, path, text } from "../../frame/values.ts";

export const trace = declareCommand({
  name: "trace",
  summary: "Prints the spans of one trace as a waterfall",
  description: [
    "Finds the trace by its own id, by the x-request-id of an answer, or by the id of a message.",
    "Reads it from the local service, or with --log from a file with log lines of functions.",
  ],
  args: { id: argument("<id>", "id of a request, a message or a trace", text) },
  options: {
    url: option("<address>", "address of the local service; that of npm start by default", address.optional()),
    log: option("<file>", "read the log lines in this file instead", path.optional()),
  },
  examples: [
    ["trace 0f3c…", "the trace of a request to the service of npm start"],
    ["trace 4bf92f3577b34da6a3ce929d0e0e4736 --log lines.txt", "the log lines of a deployment"],
  ],
  json: "option",
  run: async ({ id, url, log }, session) => {
    const { findLocalTrace, findTraceInLog } = await import("../../service/find-trace.ts");
    const { formatWaterfall } = await import("../../../local/traces/waterfall.ts");
    const found = log === undefined ? await findLocalTrace(id, url) : findTraceInLog(id, log);
    if (!found) throw new CommandFailed(`No trace has the id ${id}.`);
    session.print(formatWaterfall(found));
    return { data: found };
  },
});
