/** Writes missing golden files in the current codec version: `node test/unit/timeseries/chunk/golden/write-golden-files.ts`. */
import { existsSync, writeFileSync } from "node:fs";
import { encodeChunk } from "../../../../../lib/domain/timeseries/chunk/codec.ts";
import { goldenChunks } from "./chunks.ts";

for (const [name, chunk] of Object.entries(goldenChunks)) {
  const bytes = encodeChunk(chunk);
  const file = new URL(`v${bytes[0]}-${name}.bin`, import.meta.url);
  if (!existsSync(file)) writeFileSync(file, bytes);
}
