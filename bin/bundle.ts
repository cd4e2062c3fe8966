import { bundle } from "../lib/build/bundle.ts";

const startedAt = performance.now();
await bundle("dist");
console.log(`functions bundled into dist/ in ${Math.round(performance.now() - startedAt)} ms`);
