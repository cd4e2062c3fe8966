import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PhoneClient, SignedOut, type Tokens } from "../../../../docs/guides/phone-client/phone-client.ts";
import { TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** A phone that is signed in. `beforeLoad` runs after a call has read the tokens and before it gets them. */
async function signIn(name: string) {
  const userId = await service.createUser(name);
  const { sign_in_token } = (await service.call("POST", `/v2/user/${userId}/sign_in_token`)).body;
  const state: { tokens?: Tokens | undefined; saves: number; beforeLoad: () => Promise<void> } = {
    saves: 0,
    beforeLoad: async () => {},
  };
  const client = new PhoneClient(service.baseUrl, {
    load: async () => {
      const { tokens, beforeLoad } = state;
      await beforeLoad();
      return tokens;
    },
    save: async (tokens) => {
      state.tokens = tokens;
      state.saves += 1;
    },
  });
  await client.signIn(sign_in_token);
  return { userId, client, state };
}

const watch = { provider: "apple_health_kit", source_type: "watch", device: { id: "watch-1" } } as const;
const startMs = Date.parse("2026-01-05T07:00:00Z");
const timestamp = (second: number) => new Date(startMs + second * 1000).toISOString();
const heartrate = (count: number, value: number) =>
  Array.from({ length: count }, (_, second) => ({ timestamp: timestamp(second), value }));

async function readHeartRates(userId: string): Promise<{ timestamp: string; value: number }[]> {
  await service.settle();
  const path = `/v2/timeseries/${userId}/heartrate/grouped?start_date=2026-01-05&end_date=2026-01-05`;
  return (await service.call("GET", path)).body.groups.apple_health_kit?.[0]?.data ?? [];
}

describe("the phone client of the guide", () => {
  test("refreshes once for calls at the same time, also for one that learns late that its token has expired", async () => {
    const { client, state } = await signIn("who calls at once");
    await service.advance(3_600_000);
    const refreshed = Promise.withResolvers<void>();
    state.beforeLoad = () => refreshed.promise;
    const late = client.sync({ ...watch, resources: {} });
    state.beforeLoad = async () => {};
    await Promise.all(Array.from({ length: 4 }, () => client.sync({ ...watch, resources: {} })));
    refreshed.resolve();
    await late;
    expect(state.saves).toBe(2);
    await client.sync({ ...watch, resources: {} });
  });

  test("does not take an outage at the sign-in for a refusal", async () => {
    const outage = createServer((_, response) => void response.writeHead(503).end()).listen(0, "127.0.0.1");
    await new Promise((resolve) => outage.once("listening", resolve));
    const { port } = outage.address() as AddressInfo;
    const store = { load: async () => undefined, save: async () => {} };
    const answer = (baseUrl: string) => new PhoneClient(baseUrl, store).signIn("si_unknown").catch((error) => error);
    expect(await answer(`http://127.0.0.1:${port}`)).not.toBeInstanceOf(SignedOut);
    expect(await answer(service.baseUrl)).toBeInstanceOf(SignedOut);
    outage.close();
  });

  test("keeps a sample that replaces a deleted one, whatever the number of parts", async () => {
    const { userId, client } = await signIn("who edits");
    const deleted = { heartrate: [{ timestamp: timestamp(0) }] };
    await client.sync({ ...watch, resources: { heartrate: heartrate(1, 60) } });
    await client.sync({ ...watch, resources: { heartrate: heartrate(2_001, 70) }, deleted });
    const stored = await readHeartRates(userId);
    expect(stored).toHaveLength(2_001);
    expect(stored.find((one) => Date.parse(one.timestamp) === startMs)?.value).toBe(70);
  });

  test("sends more deletions than one request may have", async () => {
    const { userId, client } = await signIn("who deletes a lot");
    await client.sync({ ...watch, resources: { heartrate: heartrate(2, 60) } });
    const deleted = { heartrate: heartrate(10_001, 60).map((one) => ({ timestamp: one.timestamp })) };
    expect(await client.sync({ ...watch, resources: {}, deleted })).toEqual({ accepted: 10_001, rejected: [] });
    expect(await readHeartRates(userId)).toEqual([]);
  });
});
