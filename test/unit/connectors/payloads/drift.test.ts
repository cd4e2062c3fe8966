// @module-tag share
import { describe, expect, test } from "vitest";
import { type DriftMutation, listMutations } from "../../../examples/payloads/drift-mutations.ts";
import { judgeDrift } from "../../../examples/payloads/judge-drift.ts";
import { mapPayload } from "../../../examples/payloads/map-payload.ts";
import { type NamedPayload, publishedPayloads } from "../../../examples/payloads/published-payload.ts";
import { FuzzRandom } from "../../../fuzz/fuzz-random.ts";
import { isDeep } from "../../../support/depth.ts";

/** Per cent of the changes that `npm test` tries. */
const QUICK_SHARE = 8;
const SEED = 20_260_510;
const random = new FuzzRandom(SEED, 0);

const chosen = (payload: NamedPayload) => listMutations(payload).filter(() => isDeep || random.percent(QUICK_SHARE));

describe("a member that is absent, renamed, new or of another type", () => {
  test.each([...Map.groupBy(publishedPayloads, ({ provider }) => provider)])(
    "of %s changes no other record, and costs nothing without a report",
    { tags: "deep", timeout: 300_000 },
    async (_, payloads) => {
      const tried: DriftMutation[] = [];
      const problems: string[] = [];
      for (const payload of payloads) {
        const base = await mapPayload(payload);
        for (const mutation of chosen(payload)) {
          tried.push(mutation);
          problems.push(...(await judgeDrift(mutation, base)));
        }
      }
      expect(tried.length).toBeGreaterThan(0);
      expect(problems).toEqual([]);
    },
  );
});

describe("an absent member changes no other value of its record:", () => {
  test.each([
    ["whoop_v2", "sleep", "total_light_sleep_time_milli", "sleep", "total"],
    ["whoop_v2", "sleep", "total_rem_sleep_time_milli", "sleep", "total"],
    ["polar", "sleep", "light_sleep", "sleep", "type"],
  ])("%s, %s without %s keeps %s.%s", async (provider, name, member, resource, field) => {
    const payload = publishedPayloads.find((one) => one.provider === provider && one.name === name)!;
    const valuesOf = async (one: NamedPayload) =>
      (await mapPayload(one)).records[resource]!.map((record) => record[field]);
    const drops = listMutations(payload).filter(({ kind, path }) => kind === "drop" && path.at(-1) === member);
    expect(drops.length).toBeGreaterThan(0);
    for (const one of drops) expect(await valuesOf(one.payload)).toEqual(await valuesOf(payload));
  });

  test.each([
    ["whoop_v2", "workout", "zone_two_milli", "workouts", "hr_zones"],
    ["google_health", "activity", "distance", "activity", "distance"],
    ["dexcom_v3", "egvs", "displayTime", "glucose", "timezone_offset"],
  ])("%s, %s without %s has no %s.%s", async (provider, name, member, resource, field) => {
    const payload = publishedPayloads.find((one) => one.provider === provider && one.name === name)!;
    const known = (one: readonly Readonly<Record<string, unknown>>[] = []) =>
      one.filter((record) => record[field] != null);
    const before = known((await mapPayload(payload)).records[resource]);
    const drops = listMutations(payload).filter(({ kind, path }) => kind === "drop" && path.at(-1) === member);
    expect(drops.length).toBeGreaterThan(0);
    for (const one of drops) {
      const values = known((await mapPayload(one.payload)).records[resource]).map((record) => record[field]);
      expect(before.map((record) => record[field])).toEqual(expect.arrayContaining(values));
    }
  });
});

test("the judge notices a changed neighbour, an unreported field and a lost page", async () => {
  const payload = publishedPayloads.find(({ provider, name }) => provider === "oura" && name === "workout")!;
  const base = await mapPayload(payload);
  const mutation = listMutations(payload).find(({ kind, path }) => kind === "as text" && path.at(-1) === "calories")!;
  expect(await judgeDrift(mutation, base)).toEqual([]);
  const text = JSON.stringify(mutation.payload);
  const withNeighbour = { ...mutation, payload: JSON.parse(text.replace('"Legs"', '"Arms"')) };
  expect(await judgeDrift(withNeighbour, base)).toEqual([expect.stringContaining("changes 1 other records")]);
  const unreported = { ...base, dropped: ["more", "reports", "before"] };
  expect(await judgeDrift(mutation, unreported)).toEqual([expect.stringContaining("is not reported")]);
  const withoutList = { ...mutation, payload: JSON.parse(text.replace('"data":[', '"data":"","other":[')) };
  expect(await judgeDrift(withoutList, base)).toEqual([expect.stringContaining("loses the page")]);
});
