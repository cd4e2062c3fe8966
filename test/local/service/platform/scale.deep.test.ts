// @module-tag deep
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AccessCounts,
  actions,
  type KeyCount,
  nameOfKey,
  readCounts,
} from "../../../../lib/cli/scale/access-counts.ts";
import { listKeyHeat, scopeOf } from "../../../../lib/cli/scale/key-heat.ts";
import { formatScaleTables, replaceScaleTables } from "../../../../lib/cli/scale/scale-page.ts";
import { SCALES } from "../../../../lib/cli/scale/stated-load.ts";
import { measureAccess } from "../../../scale/measure-access.ts";
import { SCALE_PAGE } from "../../../scale/report-scale.ts";
import { TestService } from "../../../support/service.ts";

let service: TestService;
let counts: AccessCounts;
beforeAll(async () => {
  service = await TestService.start();
  counts = await measureAccess(service);
}, 300_000);
afterAll(() => service.stop());

/** Keys that docs/scale.md names as too hot, by number of users. */
const knownHotKeys: Readonly<Record<number, readonly string[]>> = { 100000000: ["poll#due#{shard}"] };

const hotKeys = (of: AccessCounts, users: number) =>
  listKeyHeat(of, users).flatMap(({ key, share }) => (share > 1 ? [key] : []));

describe("keys", () => {
  // Of the stored counts: an entry of the access log more or less in sixteen syncs decides about 100 million users.
  test.each(SCALES)("are within the limits of a partition at %d users, except those that the page names", (users) => {
    expect(hotKeys(readCounts(), users)).toEqual(knownHotKeys[users] ?? []);
  });

  test("as measured now are within the limits of a partition at 1,000,000 users", () => {
    expect(hotKeys(counts, 1_000_000)).toEqual([]);
  });

  test("include those of the feed, of usage, of the delivery list and of due polls", () => {
    const found = actions.flatMap((action) => counts[action].keys.map(({ key }) => key));
    const expected = ["feed#last#{team}", "usage#{team}", "delivery#of#{team}#{endpoint}", "poll#due#{shard}"];
    expect(expected.filter((key) => !found.includes(key))).toEqual([]);
  });

  test("would be too hot if each batch wrote its team once more for each sample", () => {
    const extra: KeyCount = { table: "usage", key: "usage#samples#{team}", write: 69, read: 0 };
    const sync = { ...counts.sync, keys: [...counts.sync.keys, extra] };
    expect(hotKeys({ ...counts, sync }, 1_000_000)).toEqual([extra.key]);
  });
});

describe("docs/scale.md", () => {
  // To update both: npx tributary scale --measure --write
  test("has the tables of the stored counts", () => {
    const page = readFileSync(SCALE_PAGE, "utf8");
    expect(replaceScaleTables(page, formatScaleTables(readCounts()))).toBe(page);
  });

  test.each(actions)("is computed from the present units of each shared key of a %s", (action) => {
    const stored = new Map(readCounts()[action].keys.map((one) => [nameOfKey(one), one]));
    // What a poll finds for one user depends on the hour of the test.
    for (const one of counts[action].keys.filter(({ key }) => scopeOf(key) === "team" || scopeOf(key) === "all")) {
      const { write = 0, read = 0 } = stored.get(nameOfKey(one)) ?? {};
      // Leases and caches last for seconds and minutes, so their share of an action varies.
      expect(Math.abs(one.write - write), `write units of ${nameOfKey(one)}`).toBeLessThanOrEqual(1.5);
      expect(Math.abs(one.read - read), `read units of ${nameOfKey(one)}`).toBeLessThanOrEqual(1.5);
    }
  });
});
