import { expect, test } from "vitest";
import {
  applySettingsPatch,
  defaultTeamSettings,
  teamSettings,
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

test("the merge rule of a team that never set one is strict, and null leaves it unchanged", () => {
  const { source_merge: _, ...stored } = defaultTeamSettings;
  expect(teamSettings.parse(stored).source_merge).toBe("strict");
  const merged = change({ source_merge: "interval" });
  expect(change({ source_merge: null }, merged)?.source_merge).toBe("interval");
});

test.each([
  { source_merge: "none" },
  { critical_result_notification_email: "nobody" },
  { logo_url: "javascript:alert(1)" },
  { features: ["everything"] },
  { minor_ordering_enabled: "yes" },
])("the settings %j are rejected", (patch) => {
  expect(teamSettingsPatch.safeParse(patch).success).toBe(false);
});
