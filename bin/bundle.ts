import { bundleFunctions, FUNCTION_CACHE } from "../lib/build/bundle.ts";

const startedAt = performance.now();
const built = await bundleFunctions("dist", FUNCTION_CACHE);
console.log(`${built.length} functions bundled into dist/ in ${Math.round(performance.now() - startedAt)} ms`);
