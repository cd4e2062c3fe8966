import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bestEffortQueues } from "../../../../faults/best-effort-queues.ts";
import { TestService } from "../../../../support/service.ts";
import { connectAccount, setPullDays } from "../../connections/link-helpers.ts";
import { createHeartRates, ingestBatch } from "../../ingest/ingest-batch.ts";
import { knownRows, readJob, reportPdf, submitReport } from "../../lab-reports/report-helpers.ts";
import { orderStatusLevels, placeOrder, simulateOrder } from "../../orders/order-helpers.ts";
import { createTeamWithReceiver, Receiver } from "../../webhooks/webhook-receiver.ts";

const MINUTE_MS = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 1);
});
afterAll(() => service.stop());

/**
 * Drops all messages to a queue while reporting success.
 * @returns a function that stops it and returns the number of lost messages.
 */
function loseMessages(queue: string): () => number {
  const { queues } = service.cloud;
  const [lossy] = queues.queues().filter(({ name, redrive }) => redrive && name.includes(`Queue${queue}Queue`));
  const send = queues.send.bind(queues);
  let lost = 0;
  const losing = vi.spyOn(queues, "send").mockImplementation((url, message) => {
    if (url !== lossy?.url) return send(url, message);
    lost += 1;
    return randomUUID();
  });
  return () => {
    losing.mockRestore();
    return lost;
  };
}

/** Counts the data requests to providers. */
const asked = () =>
  service.started.service.providers.requests.filter(({ path }) => path.includes("usercollection")).length;

const historyOf = async (userId: string) => {
  const { body } = await service.call("GET", `/v2/introspect/historical_pull?provider=oura&user_id=${userId}`);
  return body.data[0].provider.oura.pulled.sleep?.status;
};

/** The work to lose messages of, by queue; each entry returns a function that checks whether the work is done. */
const requests: Readonly<Record<string, (userId: string) => Promise<() => Promise<unknown>>>> = {
  labWork: async (userId) => {
    const { id } = await placeOrder(service, userId);
    await simulateOrder(service, id);
    return async () => orderStatusLevels((await service.call("GET", `/v3/order/${id}`)).body).at(-1) === "completed";
  },
  reportParses: async (user_id) => {
    const { body } = await submitReport(service, { user_id, files: [await reportPdf(knownRows)] });
    return async () => (await readJob(service, body.id)).body.status === "completed";
  },
  historyPulls: async (userId) => {
    await connectAccount(service, userId, "ada");
    return async () => (await historyOf(userId)) === "success";
  },
  connectionPulls: async (userId) => {
    await connectAccount(service, userId, "bea");
    await service.advance(MINUTE_MS);
    const before = asked();
    const waiting = service.call("POST", `/v2/user/refresh/${userId}?timeout=5`);
    while ((await Promise.race([waiting, service.settle()])) === undefined) await service.advance(1_000);
    return async () => asked() > before;
  },
  bulkWork: async (userId) => {
    await connectAccount(service, userId, "cleo");
    await service.advance(MINUTE_MS);
    const before = asked();
    const body = { provider: "oura", user_ids: [userId] };
    expect((await service.call("POST", "/v2/link/bulk_trigger_historical_pull", { body })).status).toBe(202);
    return async () => asked() > before;
  },
  queryRuns: async (userId) => {
    const query = {
      select: [{ group_key: "*" }, { func: "max", arg: { timeseries: "heartrate", field: "value" } }],
      group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "timeseries" } }],
    };
    const { org_id, team_id } = service.identity;
    const path = `/v1/org/${org_id}/team/${team_id}/sandbox/continuous_query`;
    await service.manage("POST", path, { body: { slug: "highest", title: "Highest", query } });
    await ingestBatch(service, userId, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 2) });
    const table = `/aggregate/v1/user/${userId}/continuous_query/highest/result_table`;
    return async () => (await service.call("GET", table)).body.table?.["max.value"]?.length === 1;
  },
  webhookAttempts: async () => {
    const receiver = await Receiver.start(service, (count) => (count === 1 ? 500 : 204));
    const key = await createTeamWithReceiver(service, receiver);
    const { body } = await service.call("POST", "/v2/user", { key, body: { client_user_id: "with events" } });
    await ingestBatch(service, body.user_id, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 2) }, { key });
    return async () => {
      if (receiver.received.length === 1) return false;
      await receiver.stop();
      return receiver.received.length === 2;
    };
  },
};

test("the test covers every swept queue", () => {
  expect(Object.keys(requests).sort()).toEqual([...bestEffortQueues].sort());
});

test.each(Object.keys(requests))(
  "a sweeper completes the work of lost messages in %s within minutes",
  { tags: "deep" },
  async (queue) => {
    const userId = await service.createUser(`of ${queue}`);
    const found = loseMessages(queue);
    const isDone = await requests[queue]?.(userId);
    expect(await isDone?.()).toBe(false);
    expect(found()).toBeGreaterThan(0);
    await service.advance(20 * MINUTE_MS);
    expect(await isDone?.()).toBe(true);
  },
);
