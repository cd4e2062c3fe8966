import { describe, expect, test } from "vitest";
import {
  compareLoincCodes,
  findRelatedSets,
  groupByLoincSet,
  loincSetHash,
} from "../../../lib/domain/lab-tests/compendium.ts";
import { convertCompendium } from "../../../lib/domain/lab-tests/compendium-conversion.ts";
import { bundledCatalogue } from "./test-catalogue.ts";

describe("two tests", () => {
  test.each([
    [["a", "b"], ["a", "b"], "exact", 1],
    [["a", "b", "c"], ["a", "b"], "superset", 2 / 3],
    [["a"], ["a", "b"], "subset", 1 / 2],
    [["a", "b"], ["b", "c"], "overlap", 1 / 3],
  ])("that measure %j and %j are %s", (codes, wanted, relation, confidence) => {
    expect(compareLoincCodes(codes, wanted)).toEqual({ relation, confidence });
  });

  test("that share too few results are unrelated", () => {
    expect(compareLoincCodes(["a"], ["b"])).toBeUndefined();
    expect(compareLoincCodes(["a", "b", "c"], ["c", "d", "e", "f"])).toBeUndefined();
  });
});

test("a set of codes is identified by its content", () => {
  expect(loincSetHash(["2093-3", "2571-8"])).toMatch(/^[0-9a-f]{16}$/);
  expect(loincSetHash(["2093-3", "2571-8"])).not.toBe(loincSetHash(["2093-3"]));
});

test("related sets are ordered by similarity, starting with the set itself", () => {
  const sets = groupByLoincSet(bundledCatalogue);
  const lipids = bundledCatalogue.findByCode(4, "90506");
  const codes = (lipids?.wire.expected_results ?? []).map(({ loinc }) => loinc.code).toSorted();
  const [first, ...others] = findRelatedSets(sets, codes).map(({ related }) => related.confidence);
  expect(first).toBe(1);
  expect(others).toEqual(others.toSorted((one, other) => other - one));
});

test("a code of the target lab converts to itself, also beside the code of another lab", () => {
  const target = { lab: "quest", limit: 3 };
  const convert = (...codes: string[]) => convertCompendium(bundledCatalogue, { codes }, target);
  expect(convert("90101")).toMatchObject({ converted_provider_ids: ["90101"], unresolved_provider_ids: [] });
  const both = convert("90101", "300101");
  expect(both).toMatchObject({ converted_provider_ids: ["90101"], unresolved_provider_ids: [] });
  expect(convert("unknown").unresolved_provider_ids).toEqual(["unknown"]);
});

test("each test that two labs offer converts in both directions", () => {
  const there = { lab: "labcorp", limit: 3 };
  const back = { lab: "quest", limit: 3 };
  const codes = bundledCatalogue.find({ labIds: new Set([4]) }).map(({ wire }) => wire.provider_id);
  const converted = convertCompendium(bundledCatalogue, { lab: "quest", codes }, there);
  expect(converted.unresolved_provider_ids).toEqual([]);
  const returned = convertCompendium(
    bundledCatalogue,
    { lab: "labcorp", codes: converted.converted_provider_ids },
    back,
  );
  const results = (labId: number, list: readonly string[]) =>
    new Set(list.map((code) => bundledCatalogue.findByCode(labId, code)?.test.results.toSorted().join(" ")));
  expect(results(4, returned.converted_provider_ids)).toEqual(results(4, codes));
});
