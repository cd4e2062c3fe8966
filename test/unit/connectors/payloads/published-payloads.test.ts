import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { connectorSlugs } from "../../../../lib/connectors/connectors.ts";
import { findDifferences } from "../../../examples/payloads/find-differences.ts";
import { mapPayload } from "../../../examples/payloads/map-payload.ts";
import { type NamedPayload, publishedPayloads } from "../../../examples/payloads/published-payload.ts";

/** Maps a payload and lists what differs from what its documents demand. */
async function tryPayload(payload: NamedPayload): Promise<string[]> {
  const { records, pushes, dropped, rejected, error } = await mapPayload(payload);
  const { expected = {}, expectedPushes = [] } = payload;
  const actual = { resources: Object.keys(records).sort(), dropped, rejected, error: error?.name ?? "none" };
  return [
    ...findDifferences(actual, {
      resources: Object.keys(expected).sort(),
      dropped: payload.dropped ?? [],
      rejected: payload.rejected ?? [],
      error: payload.error ?? "none",
    }),
    ...findDifferences(records, expected),
    ...findDifferences(pushes, expectedPushes, "pushes"),
  ];
}

describe("a payload that a provider's documents describe:", () => {
  test.each(publishedPayloads.map((one) => [one.provider, one.name, one] as const))(
    "%s, %s",
    async (_, __, payload) => {
      expect(await tryPayload(payload)).toEqual([]);
    },
  );

  test("exists for every provider, with its source and without empty cases", () => {
    const providers = new Set(publishedPayloads.map(({ provider }) => provider));
    expect([...connectorSlugs, "freestyle_libre"].filter((slug) => !providers.has(slug))).toEqual([]);
    for (const { name, sources, cases } of publishedPayloads)
      expect([name, sources.length > 0 && cases !== ""]).toEqual([name, true]);
  });
});

const PAGE = "docs/connectors.md";
const TABLE = /(?<=<!-- published payloads -->\n\n)[\s\S]*?(?=\n\n<!-- end -->)/;

async function formatTable(): Promise<string> {
  const rows: (readonly [name: string, tried: number, right: number, mended: number])[] = [];
  for (const [provider, payloads] of Map.groupBy(publishedPayloads, (one) => one.provider)) {
    const results = await Promise.all(payloads.map(tryPayload));
    const right = results.filter((differences) => differences.length === 0).length;
    rows.push([`\`${provider}\``, payloads.length, right, payloads.flatMap(({ mended = [] }) => mended).length]);
  }
  const sum = (place: 1 | 2 | 3) => rows.reduce((total, row) => total + row[place], 0);
  const lines = [...rows, ["**Sum**", sum(1), sum(2), sum(3)]].map((cells) => `| ${cells.join(" | ")} |`);
  return ["| Provider | Payloads tried | Mapped right | Differences mended |", "|---|--:|--:|--:|", ...lines].join(
    "\n",
  );
}

/** With `UPDATE_DOCS=1` the test writes the table. */
test("docs/connectors.md has the table of the payloads", async () => {
  const [page, table] = [readFileSync(PAGE, "utf8"), await formatTable()];
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page.replace(TABLE, table));
  else expect(page).toContain(table);
});

test("a difference is found in a value, an instant, a count and a missing field", () => {
  const found = { a: 1, at: "2026-05-10T00:00:00+00:00", list: [1, 2], more: true };
  expect(findDifferences(found, { a: 1, at: "2026-05-10T00:00:00Z", list: [1, 2] })).toEqual([]);
  for (const other of [{ a: 2 }, { at: "2026-05-10T00:00:01Z" }, { list: 3 }, { list: [1] }, { none: 1 }])
    expect(findDifferences(found, other)).toHaveLength(1);
});
