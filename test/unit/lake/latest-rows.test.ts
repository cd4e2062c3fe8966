import fc from "fast-check";
import { expect, test } from "vitest";
import { lakeTable } from "../../../lib/domain/lake/lake-tables.ts";
import { latestRows } from "../../../lib/domain/lake/latest-rows.ts";

const samples = lakeTable("samples");
const row = fc.record({
  user_id: fc.constantFrom("a", "b"),
  start: fc.integer({ min: 0, max: 3 }),
  subtype: fc.constantFrom(null, "ldl"),
  received_at: fc.integer({ min: 0, max: 5 }),
  receipt: fc.constantFrom("x", "y"),
});
const versionOf = (one: { received_at: number; receipt: string }) => `${one.received_at}${one.receipt}`;

test("each record keeps its latest version, whatever the order of the rows", () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const latest = latestRows(samples, rows);
      const groups = Map.groupBy(rows, ({ user_id, start, subtype }) => `${user_id}/${start}/${subtype}`);
      expect(latest).toHaveLength(groups.size);
      for (const one of latest as typeof rows) {
        const versions = groups.get(`${one.user_id}/${one.start}/${one.subtype}`) ?? [];
        expect(versionOf(one)).toBe(versions.map(versionOf).sort().at(-1));
      }
      expect(latestRows(samples, rows.toReversed()).map((one) => [one.user_id, one.start, one.subtype])).toEqual(
        latest.map((one) => [one.user_id, one.start, one.subtype]),
      );
    }),
  );
});
