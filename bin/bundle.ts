import { text } from "node:stream/consumers";
import { bundleFunctions, FUNCTION_CACHE } from "../lib/build/bundle.ts";
import { symbolize } from "../lib/build/symbolize.ts";

const [command, operationId] = process.argv.slice(2);

if (command === "symbolize" && operationId !== undefined) {
  process.stdout.write(await symbolize(operationId, await text(process.stdin)));
} else {
  const startedAt = performance.now();
  const built = await bundleFunctions("dist", FUNCTION_CACHE);
  const took = Math.round(performance.now() - startedAt);
  console.log(`${built.length} functions bundled into dist/ in ${took} ms`);
}
