import { expect, test } from "vitest";
import { ihealth } from "../../../lib/connectors/ihealth/ihealth.ts";
import { parseZone } from "../../../lib/connectors/ihealth/map.ts";
import { AccessEnded, ProviderUnavailable } from "../../../lib/connectors/provider-error.ts";
import { pullAnswered } from "./pulls/answered-pull.ts";
import { createConnection, expectedBetween, expectRecords, windowBetween } from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

const readings = ["blood_pressure", "glucose", "weight", "blood_oxygen"] as const;

test("iHealth provides measurements, days and nights of 30 days that match the devices", async () => {
  const { provider, pull, accountId, tokens } = await createConnection(ihealth);
  expect(accountId).toMatch(/^[0-9a-f]{32}$/);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, ...readings, "activity", "sleep");
  for (const name of ["blood_pressure", "heartrate", "glucose", "body_weight", "body_fat", "blood_oxygen"])
    expectRecords(found[name], truth[name], "timestamp");
  for (const name of ["body", "activity", "sleep"]) expectRecords(found[name], truth[name], "calendar_date");
  expect(tokens.refresh).not.toBe("");
});

test("iHealth's tokens rotate although they are part of the address, and revoked access ends", async () => {
  const { provider, pull, tokens, server } = await createConnection(ihealth);
  const first = tokens.refresh;
  provider.tokens.expireAccessTokens();
  expectRecords((await pull(month, "activity")).activity, expectedBetween(provider, FROM, TO).activity, "steps");
  expect(tokens.refresh).not.toBe(first);
  expect(server.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  provider.setSwitches({ rate_limited: 1 });
  await expect(pull(month, "activity")).rejects.toThrow(ProviderUnavailable);
  provider.tokens.revoke("ada");
  await expect(pull(month, "activity")).rejects.toThrow(AccessEnded);
});

test.each([
  ["2002", "AccessEnded"],
  [2002, "AccessEnded"],
  ["0002", "ProviderRefused"],
  ["503", "ProviderUnavailable"],
  [5004, "ProviderUnavailable"],
])("an error of iHealth with the code %j in a response with status 200 is %s", async (ErrorCode, name) => {
  const pulled = pullAnswered(["ihealth", "weight"], month, () => ({ Error: "error", ErrorCode }));
  await expect(pulled).rejects.toMatchObject({ name });
});

test("a response of iHealth that states success is read", async () => {
  const page = { WeightUnit: 0, WeightDataList: [], NextPageUrl: "", ErrorCode: "0000" };
  expect((await pullAnswered(["ihealth", "weight"], month, () => page)).dropped).toEqual([]);
});

test("time zones are texts or numbers of hours", () => {
  const zones = ["+0200", "0530", "-08:00", "-8", -8, 5.5, "", "Europe/Berlin", null, undefined];
  expect(zones.map(parseZone)).toEqual([7_200, 19_800, -28_800, -28_800, -28_800, 19_800, null, null, null, null]);
});
