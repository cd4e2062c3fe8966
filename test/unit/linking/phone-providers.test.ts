import { expect, test } from "vitest";
import { isPhoneSource, phoneProvider, phoneProvidersOf } from "../../../lib/domain/sources/phone-providers.ts";
import { providers } from "../../../lib/domain/sources/providers.ts";
import { sourceTypes } from "../../../lib/domain/sources/source-types.ts";

test("every phone provider has source types other than unknown, and no other provider has any", () => {
  for (const { slug, authType } of providers) {
    const types = sourceTypes.filter((type) => isPhoneSource(slug, type));
    expect([slug, types.length > 1, types.includes("lab")]).toEqual([slug, authType === "sdk", false]);
    expect([slug, phoneProvider.safeParse(slug).success]).toEqual([slug, authType === "sdk"]);
  }
});

test("a missing filter stays missing, and a filter of other providers allows no phone provider", () => {
  expect(phoneProvidersOf(undefined)).toBeUndefined();
  expect(phoneProvidersOf(["oura"])).toEqual([]);
  expect(phoneProvidersOf(["oura", "omron_ble"])).toEqual(["omron_ble"]);
});
