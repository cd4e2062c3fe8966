import { describe, expect, test } from "vitest";
import { clientCredentials, startSimulatedProviders } from "./simulated-providers.ts";

const HOST = "api.mapmyfitness.com";
const API = `${HOST}/v7.1`;
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("map_my_fitness");
const key = { "api-key": clientCredentials.client_id };

async function connect() {
  const page = "www.mapmyfitness.com/v7.1/oauth2/authorize/";
  const code = (await consent(page, "map_my_fitness", {})).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("map_my_fitness") };
  return (await ask("POST", `${API}/oauth2/access_token/`, { form: { ...form, ...clientCredentials } })).body;
}

describe("MapMyFitness", () => {
  test("names the user with the tokens, and refreshes them", async () => {
    const first = await connect();
    const { body: user } = await ask("GET", `${API}/user/self/`, { token: first.access_token, headers: key });
    expect(String(user.id)).toBe(first.user_id);
    const form = { grant_type: "refresh_token", refresh_token: first.refresh_token, ...clientCredentials };
    const { body: second } = await ask("POST", `${API}/oauth2/access_token/`, { form });
    expect(second.user_id).toBe(first.user_id);
  });

  test("requires the client id in a header, and the user in a filter", async () => {
    const { access_token: token } = await connect();
    expect((await ask("GET", `${API}/user/self/`, { token })).status).toBe(403);
    const { status, body } = await ask("GET", `${API}/workout/`, { token, headers: key });
    expect([status, body._diagnostics.validation_failures]).toEqual([400, [["user filter required"]]]);
  });

  test("pages through the workouts of an interval, in joules and metres", async () => {
    const { access_token: token, user_id } = await connect();
    // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
    const all: any[] = [];
    const span = "started_after=2026-01-01T00:00:00Z&started_before=2026-05-20T00:00:00Z";
    let next: string | undefined = `/v7.1/workout/?user=${user_id}&${span}&limit=20`;
    while (next !== undefined) {
      const { body } = await ask("GET", `${HOST}${next}`, { token, headers: key });
      all.push(...body._embedded.workouts);
      next = body._links.next?.[0].href;
    }
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 0, 1), Date.UTC(2026, 4, 19, 21)).workouts ?? [];
    expect(all.map(({ _links }) => _links.self[0].id)).toEqual(truth.map(({ provider_id }) => provider_id));
    expect(all.map(({ aggregates }) => aggregates.metabolic_energy_total / 4_184)).toEqual(
      truth.map(({ calories }) => calories),
    );
  });

  test("returns series as pairs of seconds and values", async () => {
    const { access_token: token } = await connect();
    const records = provider.expectedRecords("ada", Date.UTC(2026, 3, 1), provider.now());
    const stream = records.workout_stream?.find(({ power }) => (power as number[]).length > 0);
    const url = `${API}/workout/${stream?.provider_id}/?field_set=time_series`;
    const { body } = await ask("GET", url, { token, headers: key });
    const begin = Date.parse(body.start_datetime) / 1000;
    expect(body.time_series.power.map(([at]: [number]) => begin + at)).toEqual(stream?.time);
    expect(body.time_series.position.map(([, { lat }]: [number, { lat: number }]) => lat)).toEqual(stream?.lat);
    const type = body._links.activity_type[0].href;
    expect((await ask("GET", `${HOST}${type}`, { token, headers: key })).body.name).toBe("Bike Ride");
  });

  test("refuses requests beyond the plan, and says when the plan allows further ones", async () => {
    const { access_token: token } = await connect();
    provider.setSwitches({ rate_limited: 1 });
    const over = await ask("GET", `${API}/user/self/`, { token, headers: key });
    expect([over.status, over.headers["x-plan-quota-allotted"]]).toEqual([429, "25000"]);
    await skip(1_000 * Number(over.headers["retry-after"]));
    expect((await ask("GET", `${API}/user/self/`, { token, headers: key })).status).toBe(200);
  });
});
