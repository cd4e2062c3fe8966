import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { createHeartRates, readGroupedPage } from "./ingest-batch.ts";

let service: TestService;
let userId: string;
let authorization: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("recorders");
  const { body } = await service.call("POST", `/v2/user/${userId}/sign_in_token`);
  const sign_in_token = body.sign_in_token;
  const session = await service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } });
  authorization = `Bearer ${session.body.access_token}`;
});
afterAll(() => service.stop());

const batch = () => ({
  provider: "apple_health_kit",
  source_type: "watch",
  resources: { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) },
});
let parts = 0;
const routes: Readonly<Record<string, (about: object) => Promise<Answer>>> = {
  ingest: (about) => service.call("POST", `/v2/ingest/${userId}`, { body: { ...batch(), ...about } }),
  "phone sync": (about) =>
    service.call("POST", "/v2/sdk/sync", {
      key: null,
      headers: { authorization },
      body: { ...batch(), sync_id: "first", part: parts++, ...about },
    }),
};

describe.each(Object.keys(routes))("the id of a device or app in a request of %s", (route) => {
  const send = (about: object) => routes[route]?.(about) as Promise<Answer>;

  test.each(["device", "app"])(
    "is refused with its place if it is empty, too long or has control characters: %s",
    async (name) => {
      for (const id of ["", "a".repeat(257), "a\u0000", "\n", "a\u007f", "\u0085", 7, null]) {
        const { status, body } = await send({ [name]: { id } });
        expect([status, body.code, body.detail?.[0]?.loc], JSON.stringify(id)).toEqual([
          422,
          "validation_failed",
          ["body", name, "id"],
        ]);
      }
    },
  );

  test("is stored as it was sent", { tags: "deep" }, async () => {
    const ids = ["A", "a", "a#b", "a~b", "a/b", "é", "e\u0301", "手表⌚️", " a ", "x".repeat(256)];
    for (const id of ids) {
      const [device, app] = [{ id: `${id.slice(0, 240)} of ${route}` }, { id }];
      expect((await send({ device, app })).status).toBe(202);
    }
    expect((await send({ device: null, app: null })).status).toBe(202);
    await service.settle();
    const { body } = await readGroupedPage(service, userId, "heartrate", { start_date: "2026-05-01" });
    const groups: { source: { device_id: string; app_id: string } }[] = body.groups.apple_health_kit;
    const read = groups.filter(({ source }) => source.device_id?.endsWith(` of ${route}`));
    expect(read.map(({ source }) => source.app_id).sort()).toEqual(ids.toSorted());
    expect(read.every(({ source }) => source.device_id === `${source.app_id.slice(0, 240)} of ${route}`)).toBe(true);
  });
});
