import { text } from "node:stream/consumers";
import { declareCommand } from "../frame/declaration.ts";
import { argument, text as requiredText } from "../frame/values.ts";

const symbolizeLog = declareCommand({
  name: "symbolize",
  summary: "Translates the places in a function's log to places in the sources",
  description: ["Reads the log from the standard input. Check out the deployed commit first."],
  args: { operationId: argument("<operationId>", "the function, such as getUser", requiredText) },
  examples: [["bundle symbolize getUser < log.txt", "prints the log with files and lines"]],
  run: async ({ operationId }) => {
    const { symbolize } = await import("../../build/symbolize.ts");
    process.stdout.write(await symbolize(operationId, await text(process.stdin)));
    return undefined;
  },
});

export const bundle = declareCommand({
  name: "bundle",
  summary: "Bundles the functions into dist/",
  examples: [["bundle", "only functions whose sources changed"]],
  json: "option",
  subcommands: [symbolizeLog],
  run: async (_, session) => {
    const { bundleFunctions, FUNCTION_CACHE } = await import("../../build/bundle.ts");
    const startedAt = performance.now();
    const { length: functions } = await bundleFunctions("dist", FUNCTION_CACHE);
    const milliseconds = Math.round(performance.now() - startedAt);
    session.print(`${functions} functions bundled into dist/ in ${milliseconds} ms`);
    return { data: { functions, milliseconds } };
  },
});
