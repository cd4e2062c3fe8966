import { afterAll, beforeAll, expect, test } from "vitest";
import type { PushRequest } from "../../../../lib/connectors/connector.ts";
import { garmin } from "../../../../lib/connectors/garmin/garmin.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { acceptPulledBatch } from "../../../../lib/services/connections/pulls/accept-pulled-batch.ts";
import { PushKeeper } from "../../../../lib/services/connections/raw-payloads/push-keeper.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { spoilPushes } from "./spoiled-connector.ts";
import { keepingTeam, log, StoringService, scope } from "./storing-service.ts";

const startS = Date.UTC(2026, 4, 19) / 1000;
const daily = (userId: string, steps: number) => ({
  ...{ userId, summaryId: `day-${userId}`, calendarDate: "2026-05-19", startTimeInSeconds: startS },
  ...{ startTimeOffsetInSeconds: 0, durationInSeconds: 86_400, steps, userAccessToken: "secret-1" },
});
const request: PushRequest = {
  ...{ method: "POST", headers: {}, query: new URLSearchParams("key=secret-2") },
  body: JSON.stringify({ dailies: [daily("ada", 4_321), daily("bea", 9_876)] }),
};
const { push } = garmin;
if (!push) throw new Error("Garmin pushes");

let database: TestDynamodb;
let tick = Date.UTC(2026, 4, 20, 12);
beforeAll(async () => {
  database = await startDynamodb();
  setPorts({ clock: { now: () => tick++ } });
});
afterAll(() => database.stop());

test("a push of several users is kept for each of them apart, and a remap of each equals a right mapping", async () => {
  const service = new StoringService();
  const deps = Object.assign(Object.create(service), { teams: { get: async () => keepingTeam }, usage: {} });
  const users = ["ada", "bea", "right"].map((name) => service.addUser(name, "garmin", name === "right" ? "ada" : name));
  const receive = async (names: readonly string[], pushes: ReturnType<typeof spoilPushes>) => {
    const kept = new PushKeeper(deps, push, request, log);
    for (const { accountId, batch } of pushes)
      for (const user of users.filter(({ user_id }) => names.includes(user_id))) {
        if (!batch || user.connections.garmin?.external_user_id !== accountId) continue;
        const keeping = await kept.open({ scope, user, connector: garmin, log });
        const about = {
          user,
          provider: "garmin",
          stage: "daily",
          receivedAt: tick++,
          log,
          keeper: keeping.keeper,
        } as const;
        await acceptPulledBatch(service.deps, scope, about, batch);
      }
    await kept.finish();
  };
  await receive(["ada", "bea"], spoilPushes(push.parse(request)));
  await receive(["right"], [...push.parse(request)]);
  await service.storeAll();
  const list = async (name: string) => {
    const { items } = await service.rawPayloads.list(scope, name, {}, undefined, 10, tick);
    return Promise.all(items.map(async (one) => String(await service.rawPayloads.readBody(scope, name, one))));
  };
  for (const [name, steps, foreign] of [
    ["ada", "4321", "9876"],
    ["bea", "9876", "4321"],
  ] as const) {
    const [body = "", ...others] = await list(name);
    expect(others).toEqual([]);
    expect(body).toContain(steps);
    expect(body).not.toContain(foreign);
    expect(body).not.toContain("secret");
  }
  expect(await service.stored("ada")).not.toEqual(await service.stored("right"));
  const done = await service.remap("ada", "garmin", false);
  expect(done).toMatchObject({ pulls: 1, incomplete: 0 });
  await service.storeAll();
  expect(await service.stored("ada")).toEqual(await service.stored("right"));
});
