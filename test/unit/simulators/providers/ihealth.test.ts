import { expect, test } from "vitest";
import { clientCredentials, DAY_MS, startSimulatedProviders } from "./simulated-providers.ts";

const HOST = "api.ihealthlabs.com:8443";
const AUTHORIZATION = `${HOST}/OpenApiV2/OAuthv2/userauthorization/`;
const { server, clock, ask, consent, callback } = startSimulatedProviders();
const provider = server.provider("ihealth");
const truth = provider.expectedRecords("ada", clock.now() - 60 * DAY_MS, clock.now());
const redirect_uri = callback("ihealth");

const request = (fields: Readonly<Record<string, string>>) =>
  ask("GET", `${AUTHORIZATION}?${new URLSearchParams({ ...clientCredentials, redirect_uri, ...fields })}`);

async function connect(APIName = "OpenApiBP OpenApiWeight OpenApiSleep") {
  const code = (await consent(AUTHORIZATION, "ihealth", { APIName })).get("code") ?? "";
  return (await request({ grant_type: "authorization_code", code })).body;
}

type Tokens = Awaited<ReturnType<typeof connect>>;

function list({ AccessToken, UserID }: Tokens, api: string, fields: Readonly<Record<string, string>> = {}) {
  const keys = { sc: "tributary-local-sc", sv: `tributary-local-sv-${api}` };
  const query = new URLSearchParams({
    ...clientCredentials,
    redirect_uri,
    access_token: AccessToken,
    ...keys,
    ...fields,
  });
  return ask("GET", `${HOST}/openapiv2/user/${UserID}/${api}.json/?${query}`);
}

test("one address issues codes and tokens, and refreshes rotate", async () => {
  const { RefreshToken, UserID, APIName } = await connect("OpenApiBP");
  expect(APIName).toBe("OpenApiBP");
  expect(UserID).toMatch(/^[0-9a-f]{32}$/);
  const refresh = { response_type: "refresh_token", refresh_token: RefreshToken };
  expect((await request({ ...refresh, client_secret: "wrong" })).body).toMatchObject({ ErrorCode: "1002" });
  expect((await request(refresh)).body.AccessToken).toBeDefined();
  expect((await request(refresh)).status).toBe(400);
});

test("data needs the keys of the application, its scope and its user", async () => {
  const tokens = await connect("OpenApiBP");
  expect((await list(tokens, "bp")).status).toBe(200);
  expect((await list(tokens, "bp", { sv: "other" })).body).toMatchObject({ ErrorCode: "0003" });
  expect((await list(tokens, "weight")).body).toMatchObject({ ErrorCode: "2003" });
  expect((await list({ ...tokens, UserID: "other" }, "bp")).body).toMatchObject({ ErrorCode: "0002" });
  expect((await list({ ...tokens, AccessToken: "other" }, "bp")).status).toBe(401);
});

test("times are local times as if they were UTC, and pages hold 50 records", async () => {
  const tokens = await connect();
  const start_time = String(Math.floor((clock.now() - 59 * DAY_MS) / 1000));
  const first = (await list(tokens, "bp", { start_time })).body;
  const second = (await list(tokens, "bp", { start_time, page_index: "2" })).body;
  expect([first.BPDataList.length, second.NextPageUrl]).toEqual([50, ""]);
  expect(first.NextPageUrl).toContain("page_index=2");
  const { MDate, TimeZone, HP } = second.BPDataList.at(-1);
  const right = truth.blood_pressure?.at(-1);
  expect(TimeZone).toBe("+0200");
  expect(MDate * 1000 - 7_200_000).toBe(Date.parse(String(right?.timestamp)));
  expect(HP).toBe(right?.systolic);
});

test("units follow the preferences of the user, and nights state minutes", async () => {
  const tokens = await connect();
  const start_time = String(Math.floor((clock.now() - 9 * DAY_MS) / 1000));
  const { WeightUnit, WeightDataList } = (await list(tokens, "weight", { start_time })).body;
  expect(WeightUnit).toBe(1);
  expect(WeightDataList.at(-1).WeightValue / 2.20462262).toBeCloseTo(Number(truth.body_weight?.at(-1)?.value), 5);
  const { SRDataList } = (await list(tokens, "sleep", { start_time })).body;
  expect(SRDataList.at(-1).HoursSlept * 60).toBe(truth.sleep?.at(-1)?.total);
});
