import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formats } from "../../../lib/connectors/imports/formats.ts";
import { findProvider } from "../../../lib/domain/connections/providers/providers.ts";
import { streamKinds } from "../../../lib/domain/summaries/streams/stream-kinds.ts";
import { summaryKinds } from "../../../lib/domain/summaries/summary-kinds.ts";
import { resourceNames } from "../../../lib/domain/timeseries/resources.ts";
import { importsPage } from "./imports-page.ts";

test("docs/imports.md lists every format with its files and what they become", async () => {
  const page = readFileSync("docs/imports.md", "utf8");
  await expect(importsPage(page)).toMatchFileSnapshot("../../../docs/imports.md");
});

test("every format has a known provider, and every kind of file known resources", () => {
  const known = new Set<string>([...resourceNames, ...[...summaryKinds, ...streamKinds].map(({ name }) => name)]);
  const named = formats.flatMap(({ kinds }) => kinds.flatMap(({ resources }) => resources));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(formats.filter(({ provider }) => findProvider(provider) === undefined)).toEqual([]);
});
