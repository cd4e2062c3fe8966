import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { ingestBatch, readGroupedPage } from "../ingest/ingest-batch.ts";
import { acceptReviewOf } from "../results/result-helpers.ts";
import { findFunctionName, findItemsContaining, findItemsOutsideAccessLog } from "../support/stored-items.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const SAMPLE = { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 61 }] };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const get = (userId: string) => service.call("GET", `/v2/user/${userId}`);
const remove = (userId: string) => service.call("DELETE", `/v2/user/${userId}`);
const undo = (userId: string) => service.call("POST", `/v2/user/undo_delete?user_id=${userId}`);
const undoBy = (body: unknown) => service.call("POST", "/v2/user/undo_delete", { body });
const create = (client_user_id: string) => service.call("POST", "/v2/user", { body: { client_user_id } });

async function executions(): Promise<{ name: string; status: string }[]> {
  const { body } = await service.call("GET", "/_local/resources");
  return body.state_machines.flatMap(({ executions }: { executions: unknown[] }) => executions);
}

test("a deleted user is 404 on every route at once [users-02] [user-deletion-01]", async () => {
  const user_id = await service.createUser("gone");
  const { receipt_id } = await ingestBatch(service, user_id, SAMPLE);
  expect(await remove(user_id)).toMatchObject({ status: 200, body: { success: true } });
  const data = [
    ...["heartrate/grouped", "heartrate", "cholesterol/ldl"].map((series) => `timeseries/${user_id}/${series}`),
    ...["activity", "sleep", "workouts", "body"].map((kind) => `summary/${kind}/${user_id}`),
  ];
  const requests: [string, string, object?][] = [
    ["GET", `/v2/user/${user_id}`],
    ["PATCH", `/v2/user/${user_id}`, { ingestion_start: null }],
    ["GET", "/v2/user/resolve/gone"],
    ["POST", `/v2/ingest/${user_id}`, { provider: "oura", source_type: "ring", resources: SAMPLE }],
    ["GET", `/v2/ingest/${user_id}/${receipt_id}`],
    ["POST", "/v2/link/connect/demo", { user_id, provider: "oura" }],
    ["POST", `/v2/user/${user_id}/export`],
    ["GET", `/v2/user/${user_id}/export/${user_id}`],
    ...data.map((path): [string, string] => ["GET", `/v2/${path}?start_date=2026-05-01`]),
  ];
  for (const [method, path, body] of requests) {
    const answer = await service.call(method, path, body ? { body } : {});
    expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, "user_not_found"]);
  }
  expect(JSON.stringify((await service.call("GET", "/v2/user")).body.users)).not.toContain(user_id);
});

test("an undo restores the user and its data, without its connections [user-deletion-03] [user-deletion-04] [users-03] [users-04] [users-08]", async () => {
  const user_id = await service.createUser("returning");
  await ingestBatch(service, user_id, SAMPLE);
  await service.call("POST", "/v2/link/connect/demo", { body: { user_id, provider: "freestyle_libre" } });
  await service.settle();
  const before = (await get(user_id)).body;
  expect(before.connected_sources).toHaveLength(1);
  await remove(user_id);
  expect(await undo(user_id)).toMatchObject({ status: 200, body: { success: true } });
  expect((await get(user_id)).body).toEqual({ ...before, connected_sources: [] });
  const page = await readGroupedPage(service, user_id, "heartrate", {
    start_date: "2026-05-01",
    end_date: "2026-05-01",
  });
  expect(page.body.groups.apple_health_kit).toHaveLength(1);
  expect((await service.call("GET", "/v2/user/resolve/returning")).body.user_id).toBe(user_id);
  await service.advance(8 * DAY_MS);
  expect((await get(user_id)).status).toBe(200);
});

test("an undo finds the user by client_user_id, in the body or the query [users-05] [users-09]", async () => {
  const user_id = await service.createUser("by reference");
  await remove(user_id);
  expect(await undoBy({ client_user_id: "by reference" })).toMatchObject({ status: 200, body: { success: true } });
  await remove(user_id);
  expect((await service.call("POST", "/v2/user/undo_delete?client_user_id=by+reference")).status).toBe(200);
  await remove(user_id);
  expect((await undoBy({ user_id })).status).toBe(200);
  expect((await get(user_id)).status).toBe(200);
});

test("an undo succeeds while the state machine is unavailable, and the pending deletion ends without effect", async () => {
  const user_id = await service.createUser("waited for");
  await remove(user_id);
  service.cloud.faults.add({
    service: "states",
    function: findFunctionName(service, "undoDelete"),
    mode: "fail_before",
  });
  expect(await undo(user_id)).toMatchObject({ status: 200, body: { success: true } });
  service.cloud.faults.clear();
  await service.advance(8 * DAY_MS);
  expect((await get(user_id)).status).toBe(200);
});

test("an undo needs exactly one id [users-06] [users-07]", async () => {
  const user_id = await service.createUser("one id");
  await remove(user_id);
  for (const body of [{}, { user_id, client_user_id: "one id" }, { user_id: null, client_user_id: null }]) {
    expect(await undoBy(body)).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  }
  const none = await service.call("POST", "/v2/user/undo_delete");
  const split = await service.call("POST", `/v2/user/undo_delete?user_id=${user_id}`, {
    body: { client_user_id: "one id" },
  });
  expect([none.status, split.status]).toEqual([422, 422]);
  expect((await get(user_id)).status).toBe(404);
});

test("an undo is refused for a user that is not deleted, and answers 404 for an unknown id", async () => {
  const user_id = await service.createUser("active");
  expect(await undo(user_id)).toMatchObject({ status: 400, body: { code: "undo_refused" } });
  expect((await undo("5b1d6f0e-0000-4000-8000-000000000000")).status).toBe(404);
  expect((await undoBy({ client_user_id: "never seen" })).status).toBe(404);
});

test("another team can neither delete nor undo", async () => {
  const { key } = await service.createTeam("Meddling");
  const user_id = await service.createUser("protected");
  expect((await service.call("DELETE", `/v2/user/${user_id}`, { key })).status).toBe(404);
  await remove(user_id);
  expect((await service.call("POST", `/v2/user/undo_delete?user_id=${user_id}`, { key })).status).toBe(404);
  expect((await undo(user_id)).status).toBe(200);
});

test("a new user with the same client_user_id makes an undo impossible [user-deletion-05]", async () => {
  const user_id = await service.createUser("reused");
  await remove(user_id);
  const successor = await create("reused");
  expect(successor.status).toBe(200);
  expect(await undo(user_id)).toMatchObject({ status: 400, body: { code: "undo_refused" } });
  expect((await service.call("GET", "/v2/user/resolve/reused")).body.user_id).toBe(successor.body.user_id);
  await remove(successor.body.user_id);
  expect((await undo(user_id)).status).toBe(400);
  await service.advance(7 * DAY_MS + 1_000);
  expect((await undo(user_id)).status).toBe(404);
  expect((await create("reused")).status).toBe(200);
});

test("of several undos at once one succeeds, and the others say that there is no deletion", async () => {
  for (let round = 0; round < 3; round++) {
    const user_id = await service.createUser(`undone at once ${round}`);
    await remove(user_id);
    const answers = await Promise.all([1, 2, 3, 4].map(() => undo(user_id)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(3);
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([400, "undo_refused"]);
      expect(JSON.stringify(body.detail)).toContain("There is no deletion to undo.");
    }
  }
});

test("a user who had the client_user_id for a time makes an undo impossible, and the refusal says so", async () => {
  const user_id = await service.createUser("lent");
  await remove(user_id);
  const borrower = await service.createUser("borrower");
  for (const client_user_id of ["lent", "borrower"])
    expect((await service.call("PATCH", `/v2/user/${borrower}`, { body: { client_user_id } })).status).toBe(204);
  const { status, body } = await undo(user_id);
  expect([status, body.code]).toEqual([400, "undo_refused"]);
  expect(JSON.stringify(body.detail)).toContain("Another user has had the client_user_id since.");
  // The client_user_id leads to nobody any more.
  expect((await undoBy({ client_user_id: "lent" })).status).toBe(404);
  expect((await service.call("GET", "/v2/user/resolve/lent")).status).toBe(404);
});

test("the state machine delays a deletion for seven days, and a second delete does not restart the delay [limits-01] [user-deletion-06]", async () => {
  const user_id = await service.createUser("waiting");
  const known = new Set((await executions()).map(({ name }) => name));
  await remove(user_id);
  const started = (await executions()).filter(({ name }) => !known.has(name));
  expect(started).toEqual([{ name: expect.stringMatching(/^del-/), status: "RUNNING" }]);
  await service.advance(4 * DAY_MS);
  expect(await remove(user_id)).toMatchObject({ status: 200, body: { success: true } });
  await service.advance(3 * DAY_MS - 60_000);
  expect(await findItemsContaining(service, user_id)).not.toEqual([]);
  await service.advance(120_000);
  expect(await findItemsContaining(service, user_id)).toEqual([]);
  expect(await executions()).toContainEqual({ name: started[0]?.name, status: "SUCCEEDED" });
});

test("an undo stops the execution, and a later deletion starts a new one", async () => {
  const user_id = await service.createUser("twice");
  await remove(user_id);
  const first = (await executions()).find(({ status }) => status === "RUNNING");
  await undo(user_id);
  expect(await executions()).toContainEqual({ name: first?.name, status: "ABORTED" });
  await service.advance(3 * DAY_MS);
  await remove(user_id);
  await service.advance(5 * DAY_MS);
  expect((await undo(user_id)).status).toBe(200);
  expect((await get(user_id)).status).toBe(200);
});

test("an erasure leaves no data of the user and frees its client_user_id [user-deletion-07]", async () => {
  const user_id = await service.createUser("erased-reference");
  const day = { calendar_date: "2026-05-01", steps: 1000 };
  await ingestBatch(service, user_id, { ...SAMPLE, activity: [day] });
  await service.call("POST", "/v2/link/connect/demo", { body: { user_id, provider: "freestyle_libre" } });
  await service.settle();
  expect((await findItemsContaining(service, user_id)).length).toBeGreaterThan(30);
  await remove(user_id);
  await service.advance(7 * DAY_MS + 1_000);
  expect(await findItemsContaining(service, user_id)).toEqual([]);
  expect(await findItemsContaining(service, "erased-reference")).toEqual([]);
  expect((await undo(user_id)).status).toBe(404);
  expect((await remove(user_id)).status).toBe(404);
  expect((await create("erased-reference")).body.user_id).not.toBe(user_id);
});

test("the event of an accepted review belongs to its user: hidden in the grace period, erased with the user", async () => {
  const user_id = await service.createUser("reviewed");
  const order = await acceptReviewOf(service, user_id, "Reviewed");
  const feed = async () => {
    const { events } = (await service.call("GET", "/v2/events?limit=500")).body;
    return events.filter(({ body }: { body: unknown }) => /match_review/.test(JSON.stringify(body)));
  };
  const shown = (await feed()).map(({ body }: { body: { event_type: string } }) => body);
  expect(shown.map(({ event_type }: { event_type: string }) => event_type.split(".").at(-1))).toEqual([
    "created",
    "updated",
  ]);
  expect(shown[1].data).toMatchObject({ resolved_user_id: user_id, resolved_order_id: order.id });
  expect(Object.keys(shown[1]).toSorted()).toEqual(["data", "event_type", "team_id"]);
  await remove(user_id);
  expect(await feed()).toHaveLength(1);
  await undo(user_id);
  expect(await feed()).toHaveLength(2);
  await remove(user_id);
  await service.advance(7 * DAY_MS + 1_000);
  expect(await feed()).toHaveLength(1);
  expect(await findItemsContaining(service, user_id)).toEqual([]);
  expect(await findItemsOutsideAccessLog(service, order.id)).toEqual([]);
});

test("an undo is refused after the grace period, even while the erasure is delayed [errors-04]", async () => {
  const user_id = await service.createUser("late");
  await remove(user_id);
  const stuck = findFunctionName(service, "beginErasure");
  service.cloud.faults.add({ service: "dynamodb", function: stuck, mode: "fail_before" });
  await service.advance(7 * DAY_MS + 1_000);
  expect(await undo(user_id)).toMatchObject({ status: 400, body: { code: "undo_refused" } });
  service.cloud.faults.clear();
  await service.advance(DAY_MS / 24);
  expect((await undo(user_id)).status).toBe(404);
  expect(await findItemsContaining(service, user_id)).toEqual([]);
});

test("the sweeper starts a deletion whose start was lost", { tags: "deep" }, async () => {
  const user_id = await service.createUser("lost start");
  service.cloud.faults.add({
    service: "states",
    function: findFunctionName(service, "deleteUser"),
    mode: "fail_before",
  });
  expect((await remove(user_id)).status).toBe(503);
  service.cloud.faults.clear();
  expect((await get(user_id)).status).toBe(404);
  await service.advance(7 * DAY_MS + 2 * 3_600_000);
  expect(await findItemsContaining(service, user_id)).toEqual([]);
});
