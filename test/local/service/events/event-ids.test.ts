import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";

/** A history completes after this time without new data. */
const MINUTE_MS = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Creates a user whose phone sends a history by one synchronization called "initial". @returns the user's id. */
async function phoneWithHistory(name: string, value: number, key = service.identity.api_key): Promise<string> {
  const userId = await service.createUser(name, key);
  const { body: token } = await service.call("POST", `/v2/user/${userId}/sign_in_token`, { key });
  const { body: session } = await service.call("POST", "/v2/sdk/session", {
    key: null,
    body: { sign_in_token: token.sign_in_token },
  });
  const sent = await service.call("POST", "/v2/sdk/sync", {
    key: null,
    headers: { authorization: `Bearer ${session.access_token}` },
    body: {
      ...{ provider: "apple_health_kit", source_type: "watch", stage: "historical", sync_id: "initial" },
      ...{ part: 0, done: true, resources: { heartrate: [{ timestamp: `2026-05-0${value}T08:00:00Z`, value: 60 }] } },
    },
  });
  expect(sent.status).toBe(202);
  await service.advance(MINUTE_MS);
  return userId;
}

test("histories of phones with the same synchronization name have separate events, each with the body of its user", {
  tags: "deep",
}, async () => {
  const other = await service.createTeam("Another");
  const users = [await phoneWithHistory("one", 1), await phoneWithHistory("two", 2)];
  const [third] = [await phoneWithHistory("three", 3, other.key)];
  const feed = async (key?: string) => {
    const { body } = await service.call("GET", "/v2/events?limit=500", key ? { key } : {});
    return body.events.filter(({ body: { event_type: type } }: { body: { event_type: string } }) =>
      type.startsWith("historical."),
    );
  };
  const [ours, theirs] = [await feed(), await feed(other.key)];
  expect(ours.map(({ body }: { body: { user_id: string } }) => body.user_id)).toEqual(users);
  expect(theirs.map(({ body }: { body: { user_id: string } }) => body.user_id)).toEqual([third]);
  expect(new Set([...ours, ...theirs].map(({ event_id }) => event_id)).size).toBe(3);
  const received = await service.inbox("historical.data.heartrate.created");
  const ids = new Map(received.map(({ headers, body }) => [body.user_id, headers["webhook-id"]]));
  expect([...ids.keys()].toSorted()).toEqual(users.toSorted());
  expect(new Set(ids.values()).size).toBe(2);
});
