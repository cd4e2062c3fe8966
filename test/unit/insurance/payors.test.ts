import { beforeAll, describe, expect, test } from "vitest";
import { type Payor, searchPayors } from "../../../lib/domain/insurance/payor.ts";
import { usStates } from "../../../lib/domain/places/us-states.ts";
import { derivePayorCode, loadPayors } from "../../../lib/services/insurance/payors.ts";

let payors: Payor[];
beforeAll(async () => {
  const listed = await loadPayors();
  const own = { ...listed[0]!, payor_code: "T1", name: "Zenith Mutual", aliases: [], source: "team" };
  payors = [...listed, { ...own, provider: "stedi", provider_payor_id: "4711" }];
});
const codes = (search: Parameters<typeof searchPayors>[1]) =>
  searchPayors(payors, search).map(({ payor_code }) => payor_code);

test("about 50 bundled payors have unique codes and an address", async () => {
  const listed = await loadPayors();
  expect(listed.length).toBeGreaterThanOrEqual(50);
  expect(new Set(listed.map(({ payor_code }) => payor_code)).size).toBe(listed.length);
  const odd = listed.filter(
    ({ org_address: { state, zip }, source }) => !(state in usStates) || !/^\d{5}$/.test(zip) || source !== "platform",
  );
  expect(odd).toEqual([]);
});

describe("a search for payors", () => {
  test.each([
    ["united health", "UHC"],
    ["UnitedHealtcare", "UHC"],
    ["uhc", "UHC"],
    ["blue cross massachusetts", "BCBSMA"],
    ["medicare", "MEDFED"],
    ["Aetna Choice POS II", "AETNA"],
    ["zenith", "T1"],
  ])("ranks, for the name %j, %s first", (name, code) => {
    expect(codes({ name })[0]).toBe(code);
  });

  test("finds payors by clearing house and its id", () => {
    expect(codes({ provider: "stedi", providerPayorId: "4711" })).toEqual(["T1"]);
    expect(codes({ provider: "stedi", providerPayorId: "4712" })).toEqual([]);
    expect(codes({ provider: "availity", providerPayorId: "4711" })).toEqual([]);
    expect(codes({ name: "aetna", provider: "stedi" })).toEqual([]);
  });

  test("returns all payors by name for an empty query, and none for an unknown name", () => {
    const names = searchPayors(payors, {}).map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(names).toHaveLength(payors.length);
    expect(codes({ name: "qqqq" })).toEqual([]);
    expect(codes({ name: "--" })).toEqual([]);
  });
});

test("the code of a team's payor is equal for equal payors and differs otherwise", () => {
  const { payor_code: _, ...payor } = payors.at(-1)!;
  expect(derivePayorCode(payor)).toMatch(/^T[0-9A-F]{15}$/);
  expect(derivePayorCode({ ...payor, name: "ZENITH MUTUAL" })).toBe(derivePayorCode(payor));
  expect(derivePayorCode({ ...payor, provider_payor_id: "4712" })).not.toBe(derivePayorCode(payor));
});
