import { expect, test } from "vitest";
import {
  applySettingsPatch,
  defaultTeamSettings,
  teamSettingsPatch,
} from "../../../lib/domain/management/team-settings.ts";

const change = (patch: object, before = defaultTeamSettings) =>
  applySettingsPatch(before, teamSettingsPatch.parse(patch));

test("an omitted setting stays unchanged", () => {
  const changed = change({ minor_ordering_enabled: true, logo_url: "https://example.com/logo.png" });
  expect(changed).toEqual({
    ...defaultTeamSettings,
    minor_ordering_enabled: true,
    logo_url: "https://example.com/logo.png",
  });
  expect(change({}, changed)).toEqual(changed);
});

test("null removes a text and leaves a flag unchanged", () => {
  const before = { ...defaultTeamSettings, partial_webhooks_enabled: true, logo_url: "https://example.com/logo.png" };
  expect(change({ partial_webhooks_enabled: null, logo_url: null }, before)).toEqual({ ...before, logo_url: null });
});

test("brand information is changed field by field and requires a name", () => {
  const named = change({ brand_information: { company_name: "Example" } });
  expect(named?.brand_information).toMatchObject({ company_name: "Example", support_email: null });
  const coloured = change({ brand_information: { brand_color: "teal" } }, named);
  expect(coloured?.brand_information).toEqual({ ...named?.brand_information, brand_color: "teal" });
  expect(change({ brand_information: null }, coloured)?.brand_information).toBeNull();
  expect(change({ brand_information: { brand_color: "teal" } })).toBeUndefined();
});

test.each([
  { critical_result_notification_email: "nobody" },
  { logo_url: "javascript:alert(1)" },
  { features: ["everything"] },
  { minor_ordering_enabled: "yes" },
])("the settings %j are rejected", (patch) => {
  expect(teamSettingsPatch.safeParse(patch).success).toBe(false);
});
