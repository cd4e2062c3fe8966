import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decodeChunk } from "../../../../lib/domain/timeseries/chunk/codec.ts";
import { goldenChunks } from "./golden/chunks.ts";

const folder = new URL("golden/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".bin"));

describe("golden files", () => {
  test("contain every golden chunk in codec version 1", () => {
    expect(files.filter((file) => file.startsWith("v1-")).sort()).toEqual(
      Object.keys(goldenChunks)
        .map((name) => `v1-${name}.bin`)
        .sort(),
    );
  });

  test.each(files)("%s decodes to the chunk it was written from", (file) => {
    const name = file.replace(/^v\d+-/, "").replace(/\.bin$/, "");
    const bytes = readFileSync(new URL(file, folder));
    expect(`v${bytes[0]}-`).toBe(file.slice(0, file.indexOf("-") + 1));
    expect(decodeChunk(bytes)).toEqual(goldenChunks[name]);
  });
});
