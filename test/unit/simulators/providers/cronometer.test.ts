import { expect, test } from "vitest";
import { clientCredentials, DAY_MS, startSimulatedProviders } from "./simulated-providers.ts";

const OAUTH = "cronometer.com/oauth";
const API = "cronometer.com/api_v1";
const { server, clock, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("cronometer");

async function connect() {
  const code = (await consent(`${OAUTH}/authorize`, "cronometer", {})).get("code") ?? "";
  const fields = { grant_type: "authorization_code", code, redirect_uri: callback("cronometer"), ...clientCredentials };
  expect((await ask("POST", `${OAUTH}/token`, { form: fields })).status).toBe(401);
  return (await ask("POST", `${OAUTH}/token?${new URLSearchParams(fields)}`)).body;
}

test("tokens come from parameters in the query, never expire, and end with the withdrawal of access", async () => {
  const { access_token: token, ...others } = await connect();
  expect(Object.keys(others)).toEqual(["token_type", "user_id"]);
  await skip(1_000 * DAY_MS);
  const read = () => ask("POST", `${API}/diary_summary`, { token, json: { day: "2026-05-18" } });
  expect((await read()).status).toBe(200);
  await ask("POST", `${OAUTH}/deauthorize?access_token=${token}`);
  expect((await read()).status).toBe(401);
});

test("a diary contains the meals of its day, and their sums", async () => {
  const { access_token: token } = await connect();
  const day = "2026-05-18";
  const { body } = await ask("POST", `${API}/diary_summary`, { token, json: { day, food: true } });
  const { meal = [] } = provider.expectedRecords("ada", Date.parse(day) + DAY_MS / 2, Date.parse(day) + DAY_MS / 2);
  expect(body.foods.map(({ name, macros }: { name: string; macros: { kcal: number } }) => [name, macros.kcal])).toEqual(
    meal.map(({ name, energy }) => [name, (energy as { value: number }).value]),
  );
  const kcal = meal.reduce((sum, { energy }) => sum + (energy as { value: number }).value, 0);
  expect(body.macros.kcal).toBe(kcal);
  const without = await ask("POST", `${API}/diary_summary`, { token, json: { day } });
  expect(without.body).not.toHaveProperty("foods");
});

test("days in the future are empty, and dates must be valid", async () => {
  const { access_token: token } = await connect();
  const tomorrow = new Date(clock.now() + DAY_MS).toISOString().slice(0, 10);
  const read = (json: object) => ask("POST", `${API}/diary_summary`, { token, json });
  expect((await read({ day: tomorrow, food: true })).body).toMatchObject({ day: tomorrow, foods: [] });
  expect((await read({ start: "2026-05-01", end: "2026-05-03" })).body).toHaveLength(3);
  expect((await read({ day: "today" })).status).toBe(400);
});
