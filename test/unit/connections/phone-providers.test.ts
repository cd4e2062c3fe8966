import { expect, test } from "vitest";
import {
  filterPhoneProviders,
  isPhoneSource,
  phoneProvider,
} from "../../../lib/domain/connections/providers/phone-providers.ts";
import { providers } from "../../../lib/domain/connections/providers/providers.ts";
import { sourceTypes } from "../../../lib/domain/connections/sources/source-types.ts";

test("every phone provider has source types other than unknown, and no other provider has any", () => {
  for (const { slug, authType } of providers) {
    const types = sourceTypes.filter((type) => isPhoneSource(slug, type));
    expect([slug, types.length > 1, types.includes("lab")]).toEqual([slug, authType === "sdk", false]);
    expect([slug, phoneProvider.safeParse(slug).success]).toEqual([slug, authType === "sdk"]);
  }
});

test("a missing filter stays missing, and a filter of other providers allows no phone provider", () => {
  expect(filterPhoneProviders(undefined)).toBeUndefined();
  expect(filterPhoneProviders(["oura"])).toEqual([]);
  expect(filterPhoneProviders(["oura", "omron_ble"])).toEqual(["omron_ble"]);
});
