import { describe, expect, test } from "vitest";
import { connectorSlugs } from "../../../lib/connectors/connectors.ts";
import { findDifferences } from "../../examples/payloads/find-differences.ts";
import { mapPayload } from "../../examples/payloads/map-payload.ts";
import { publishedPayloads } from "../../examples/payloads/published-payload.ts";

describe("a payload that a provider's documents describe:", () => {
  test.each(publishedPayloads.map((one) => [one.provider, one.name, one] as const))(
    "%s, %s",
    async (_, __, payload) => {
      const { records, pushes, dropped, rejected, error } = await mapPayload(payload);
      expect(error?.name).toBe(payload.error);
      const { expected = {} } = payload;
      expect(Object.keys(records).sort()).toEqual(Object.keys(expected).sort());
      expect(findDifferences(records, expected)).toEqual([]);
      expect(findDifferences(pushes, payload.expectedPushes ?? [], "pushes")).toEqual([]);
      expect(dropped).toEqual(payload.dropped ?? []);
      expect(rejected).toEqual(payload.rejected ?? []);
    },
  );

  test("exists for every provider, with its source and without empty cases", () => {
    const providers = new Set(publishedPayloads.map(({ provider }) => provider));
    expect([...connectorSlugs, "freestyle_libre"].filter((slug) => !providers.has(slug))).toEqual([]);
    for (const { name, sources, cases } of publishedPayloads)
      expect([name, sources.length > 0 && cases !== ""]).toEqual([name, true]);
  });
});

test("a difference is found in a value, an instant, a count and a missing field", () => {
  const found = { a: 1, at: "2026-05-10T00:00:00+00:00", list: [1, 2], more: true };
  expect(findDifferences(found, { a: 1, at: "2026-05-10T00:00:00Z", list: [1, 2] })).toEqual([]);
  for (const other of [{ a: 2 }, { at: "2026-05-10T00:00:01Z" }, { list: 3 }, { list: [1] }, { none: 1 }])
    expect(findDifferences(found, other)).toHaveLength(1);
});
