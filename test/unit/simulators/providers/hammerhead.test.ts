import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { clientCredentials, DAY_MS, startSimulatedProviders } from "./simulated-providers.ts";

const { default: FitParser } = createRequire(import.meta.url)("fit-file-parser");
const API = "api.hammerhead.io/v1/api/activities";
const OAUTH = "api.hammerhead.io/v1/auth/oauth";
const { server, clock, ask, consent, callback } = startSimulatedProviders();
const provider = server.provider("hammerhead_v2");
const truth = () => provider.expectedRecords("ada", clock.now() - 120 * DAY_MS, clock.now());

async function connect() {
  const scope = "activity:read";
  const code = (await consent(`${OAUTH}/authorize`, "hammerhead_v2", { scope })).get("code") ?? "";
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: callback("hammerhead_v2"),
    ...clientCredentials,
  };
  return (await ask("POST", `${OAUTH}/token`, { form })).body;
}

test("tokens name the user and end with the withdrawal of access", async () => {
  const { access_token: token, user_id } = await connect();
  expect(user_id).toMatch(/^\d+$/);
  const withdraw = (form: Record<string, string>) => ask("POST", `${OAUTH}/deauthorize`, { form: { token, ...form } });
  expect((await withdraw({})).status).toBe(401);
  expect((await ask("GET", API, { token })).status).toBe(200);
  expect((await withdraw(clientCredentials)).status).toBe(204);
  expect((await ask("GET", API, { token })).status).toBe(401);
});

test("activities page to the end, and are the rides since a date", async () => {
  const { access_token: token } = await connect();
  const startDate = new Date(clock.now() - 120 * DAY_MS).toISOString().slice(0, 10);
  const page = async (number: number) =>
    (await ask("GET", `${API}?page=${number}&perPage=2&startDate=${startDate}`, { token })).body;
  const { totalPages, totalItems, data } = await page(1);
  for (let number = 2; number <= totalPages; number++) data.push(...(await page(number)).data);
  expect(data).toHaveLength(totalItems);
  expect(data.toReversed().map(({ id }: { id: string }) => id)).toEqual(
    truth().workouts?.map(({ provider_id }) => provider_id),
  );
  expect((await ask("GET", `${API}?startDate=soon`, { token })).status).toBe(400);
});

test("the file of a ride states its start, which its upload does not", async () => {
  const { access_token: token } = await connect();
  const ride = truth().workouts?.at(-1);
  const { body } = await ask("GET", `${API}/${ride?.provider_id}`, { token });
  expect(body).toMatchObject({ activityType: "RIDE", distance: ride?.distance, duration: ride?.moving_time });
  expect(Date.parse(body.createdAt)).toBeGreaterThan(Date.parse(String(ride?.time_end)));
  const file = await ask("GET", `${API}/${ride?.provider_id}/file`, { token });
  const { sessions } = await new FitParser({ force: false, mode: "list", lengthUnit: "m" }).parseAsync(file.body);
  expect(sessions[0].start_time.toISOString().slice(0, 19)).toBe(String(ride?.time_start).slice(0, 19));
});
