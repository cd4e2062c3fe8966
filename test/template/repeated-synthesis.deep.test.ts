// @module-tag deep
import { expect, test } from "vitest";
import { FUNCTION_CACHE } from "../../lib/build/bundle.ts";
import { synthesizeBundledService } from "./support/synthesize.ts";

test("repeated synthesis gives the same templates, including the hashes of code, with and without the cache of functions", {
  timeout: 600_000,
}, async () => {
  const templates = async (cache?: string) =>
    (await synthesizeBundledService(cache)).templates.map((template) => template.text);
  expect(await templates(FUNCTION_CACHE)).toEqual(await templates());
});
