import { bundleFunctions } from "../lib/build/bundle.ts";

const startedAt = performance.now();
await bundleFunctions("dist");
console.log(`functions bundled into dist/ in ${Math.round(performance.now() - startedAt)} ms`);
