import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, DAY_MS, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const API = "wbsapi.withings.net";
const SCOPES = "user.info,user.metrics,user.activity";
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("withings");

async function codeForm() {
  const query = await consent("account.withings.com/oauth2_user/authorize2", "withings", { scope: SCOPES });
  const code = query.get("code") ?? "";
  return {
    action: "requesttoken",
    grant_type: "authorization_code",
    code,
    redirect_uri: callback("withings"),
    ...clientCredentials,
  };
}
const oauth = async (form: Record<string, string>) => (await ask("POST", `${API}/v2/oauth2`, { form })).body;
const connect = async () => (await oauth(await codeForm())).body;
const act = async (path: string, token: string, form: Record<string, string>) =>
  (await ask("POST", `${API}${path}`, { token, form })).body;
const signed = (...values: string[]) =>
  createHmac("sha256", clientCredentials.client_secret).update(values.join(",")).digest("hex");

/** All items of a list. */
async function all(path: string, name: string, token: string, form: Record<string, string>) {
  const items: Record<string, unknown>[] = [];
  for (let offset = "0"; ; ) {
    const { status, body } = await act(path, token, { ...form, offset });
    expect(status).toBe(0);
    items.push(...body[name]);
    if (!body.more) return items;
    offset = String(body.offset);
  }
}

describe("Withings tokens", () => {
  test("come in a wrapped response, for a code valid for 30 seconds and a valid client secret", async () => {
    const form = await codeForm();
    expect(await oauth({ ...form, client_secret: "wrong" })).toMatchObject({ status: 503 });
    await skip(29_999);
    expect(await oauth(form)).toMatchObject({ status: 0, body: { expires_in: 10_800, scope: SCOPES } });
    const late = await codeForm();
    await skip(30_000);
    expect(await oauth(late)).toMatchObject({ status: 503 });
  });

  test("rotate, and end with a signed revocation", async () => {
    const tokens = await connect();
    const refresh = {
      action: "requesttoken",
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      ...clientCredentials,
    };
    const second = (await oauth(refresh)).body;
    expect(await oauth(refresh)).toMatchObject({ status: 503 });
    const question = { action: "getnonce", client_id: clientCredentials.client_id, timestamp: "1779278400" };
    const asked = { ...question, signature: signed("getnonce", clientCredentials.client_id, "1779278400") };
    const { nonce } = (await ask("POST", `${API}/v2/signature`, { form: asked })).body.body;
    const end = { action: "revoke", client_id: clientCredentials.client_id, nonce, userid: second.userid };
    expect(await oauth({ ...end, signature: "wrong" })).toMatchObject({ status: 503 });
    const again = (await ask("POST", `${API}/v2/signature`, { form: asked })).body.body.nonce;
    const signature = signed("revoke", clientCredentials.client_id, again);
    expect(await oauth({ ...end, nonce: again, signature })).toMatchObject({ status: 0 });
    expect(await act("/measure", second.access_token, { action: "getmeas" })).toMatchObject({ status: 401 });
  });
});

describe("Withings data", () => {
  const [fromMs, untilMs] = [Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 19, 12)];
  const range = { startdateymd: "2026-04-20", enddateymd: "2026-05-19" };

  test("pages to the end without loss and matches the expected records", async () => {
    const { access_token: token } = await connect();
    const truth = provider.expectedRecords("ada", fromMs, untilMs);
    const groups = await all("/measure", "measuregrps", token, {
      action: "getmeas",
      meastypes: "1,6,9,10",
      startdate: String(fromMs / 1000 - 43_200),
      enddate: String(untilMs / 1000),
    });
    const weights = groups.flatMap(({ measures }) =>
      (measures as { type: number; value: number; unit: number }[]).filter(({ type }) => type === 1),
    );
    expect(weights.reverse().map(({ value, unit }) => value * 10 ** unit)).toEqual(
      truth.body_weight?.map(({ value }) => expect.closeTo(Number(value), 9)),
    );
    const days = await all("/v2/measure", "activities", token, { action: "getactivity", ...range });
    expect(days.map(({ date, soft }) => [date, Number(soft) / 60])).toEqual(
      truth.activity?.map(({ calendar_date, low }) => [calendar_date, low]),
    );
    const nights = await all("/v2/sleep", "series", token, { action: "getsummary", ...range });
    expect(nights).toHaveLength(30);
    expect(nights.map(({ id }) => String(id))).toEqual(truth.sleep?.map(({ provider_id }) => provider_id));
  });

  test("returns the sleep stages of at most 24 hours in its own codes", async () => {
    const { access_token: token } = await connect();
    const from = Date.UTC(2026, 4, 17, 12) / 1000;
    const asked = { action: "get", startdate: String(from), enddate: String(from + 86_400), data_fields: "hr" };
    const { body } = await act("/v2/sleep", token, asked);
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 4, 18, 12), Date.UTC(2026, 4, 18, 12));
    const codes = [4, 2, 1, 3];
    expect(body.series.map(({ state }: { state: number }) => codes[state])).toEqual(
      truth.hypnogram?.map(({ value }) => value),
    );
    const beats = body.series.flatMap(({ hr }: { hr: object }) => Object.values(hr));
    expect(beats).toEqual(truth.heartrate?.map(({ value }) => value));
    expect(await act("/v2/sleep", token, { ...asked, enddate: String(from + 86_401) })).toMatchObject({ status: 503 });
  });

  test("responds with status 601 and HTTP 200 after 120 requests in a minute", async () => {
    const { access_token: token } = await connect();
    await skip(60_000);
    const since = { action: "getmeas", meastypes: "1", startdate: String(Date.UTC(2026, 4, 18) / 1000) };
    for (let left = 120; left > 0; left--) await act("/measure", token, since);
    const over = await ask("POST", `${API}/measure`, { token, form: { action: "getmeas" } });
    expect(over).toMatchObject({ status: 200, body: { status: 601 } });
    await skip(60_000);
    expect((await act("/measure", token, { action: "getmeas" })).status).toBe(0);
  });
});

describe("Withings notifications", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("go form-encoded to URLs that answered a HEAD request", async () => {
    await skip(DAY_MS);
    const { access_token: token, userid } = await connect();
    const form = { action: "subscribe", callbackurl: `${receiver.origin}/secret-path`, appli: "44" };
    receiver.answer = () => ({ status: 404 });
    expect(await act("/notify", token, form)).toMatchObject({ status: 293 });
    receiver.answer = () => ({ status: 200 });
    expect(await act("/notify", token, form)).toMatchObject({ status: 0 });
    expect(receiver.received.map(({ method }) => method)).toEqual(["HEAD", "HEAD"]);
    await provider.notify({ account: "ada", kind: "44", date: "2026-05-18", change: "update" });
    const push = new URLSearchParams(receiver.received.at(-1)?.body);
    expect(Object.fromEntries(push)).toMatchObject({ userid, appli: "44" });
    expect(Number(push.get("enddate")) - Number(push.get("startdate"))).toBe(86_400);
    const { body } = await act("/notify", token, { action: "list" });
    expect(body.profiles).toMatchObject([{ appli: 44 }]);
  });
});
