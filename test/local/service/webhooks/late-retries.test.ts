import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import {
  callAppointment,
  cancellationRequest,
  createOrderAtStatus,
  listFreeSlots,
} from "../appointments/appointment-helpers.ts";
import { connectAccount, setPullDays } from "../connections/link-helpers.ts";
import { knownRows, parseReport, reportPdf } from "../lab-reports/report-helpers.ts";
import { placeOrder, simulateOrder } from "../orders/order-helpers.ts";
import { createLabKey, createLabSender, createOruMessage } from "../results/result-helpers.ts";
import { RECEIVER_SECRET, Receiver } from "./webhook-receiver.ts";

type Body = Answer["body"];
const RETRIES_MS = 6 * 60_000;

let service: TestService;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 0);
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
afterAll(() => service.stop());

/** Starts a receiver of some types, which refuses those of one type until it is told to accept them. */
async function receiveLate(filter_types: readonly string[], late: string) {
  let isLate = true;
  const receiver = await Receiver.start(service, (_, { event_type }) => (isLate && event_type === late ? 500 : 204));
  const { org_id, team_id } = service.identity;
  const path = `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`;
  const { body } = await service.manage("POST", path, {
    body: { url: receiver.url, secret: RECEIVER_SECRET, filter_types },
  });
  stops.push(
    () => receiver.stop(),
    () => service.manage("DELETE", `${path}/${body.id}`),
  );
  const retry = async () => {
    await service.settle();
    isLate = false;
    const before = receiver.received.length;
    await service.advance(RETRIES_MS);
    return receiver.received.slice(before).map((one) => one.body as Body);
  };
  const reasons = async () => {
    const page = await service.manage("GET", `${path}/${body.id}/message?status=cancelled`);
    return page.body.data.map(({ event_type, reason }: Body) => [event_type, reason]);
  };
  return { retry, reasons };
}

const verbs = (family: string) => [`${family}.created`, `${family}.updated`] as const;

test("a late retry of an order carries the present order", async () => {
  const types = verbs("labtest.order");
  const { retry } = await receiveLate(types, types[0]);
  const { id } = await placeOrder(service, await service.createUser("orders late"));
  const order = await simulateOrder(service, id);
  expect(await retry()).toMatchObject([{ event_type: types[0], data: { id, last_event: order.last_event } }]);
});

test("a late retry of an order's repeated event carries the present order", async () => {
  const types = verbs("labtest.order");
  const { id } = await placeOrder(service, await service.createUser("orders repeated"));
  const { retry } = await receiveLate(types, types[0]);
  await service.call("POST", "/v3/order/resend_events", { body: { order_ids: [id] } });
  await service.settle();
  const order = await simulateOrder(service, id);
  expect(await retry()).toMatchObject([{ event_type: types[0], data: { id, last_event: order.last_event } }]);
});

test("a late retry of an appointment carries the present appointment", async () => {
  const types = verbs("labtest.appointment");
  const { retry } = await receiveLate(types, types[0]);
  const order = await createOrderAtStatus(service, await service.createUser("visited late"), "phlebotomy");
  const [slot] = await listFreeSlots(service, "phlebotomy");
  await callAppointment(service, "phlebotomy", order.id, "book", { booking_key: slot?.booking_key });
  await service.settle();
  const { status } = await callAppointment(service, "phlebotomy", order.id, "cancel", cancellationRequest.phlebotomy);
  expect(status).toBe(200);
  expect(await retry()).toMatchObject([{ event_type: types[0], data: { order_id: order.id, status: "cancelled" } }]);
});

test("a late retry of a lab report carries the present job", async () => {
  const types = verbs("lab_report.parsing_job");
  const { retry } = await receiveLate(types, types[0]);
  const user_id = await service.createUser("reported late");
  const job = await parseReport(service, { user_id, files: [await reportPdf(knownRows)] });
  expect(await retry()).toMatchObject([{ event_type: types[0], data: job }]);
});

test("a late retry of a match review carries the present review", async () => {
  const types = verbs("labtest.match_review");
  const { retry } = await receiveLate(types, types[0]);
  const send = createLabSender(service, await createLabKey(service));
  await send(createOruMessage({ control: "L1", last_name: "Lately" }));
  const { data } = (await service.call("GET", "/v3/unmatched_result?search_input=lately")).body;
  await service.settle();
  const path = `/v3/unmatched_result/${data[0].id}/resolve`;
  expect((await service.call("POST", path, { body: { action: "reject" } })).status).toBe(200);
  expect(await retry()).toMatchObject([{ event_type: types[0], data: { id: data[0].id, status: "resolved" } }]);
});

test("a late retry of a given consent says that the consent has ended", async () => {
  const types = ["provider.consent.given", "provider.consent.ended"] as const;
  const { retry } = await receiveLate(types, types[0]);
  const user = await service.createUser("agreed late");
  await connectAccount(service, user, "agreed-late");
  await service.settle();
  expect((await service.call("DELETE", `/v2/user/${user}/oura`)).status).toBe(200);
  const retried = await retry();
  expect(retried.map(({ event_type, data }) => [event_type, data.state])).toEqual([[types[0], "terminated"]]);
});

async function breakConnection(user: string, account: string): Promise<void> {
  await service.settle();
  service.started.service.providers.provider("oura").tokens.revoke(account);
  await service.call("POST", `/v2/user/refresh/${user}`);
  await service.settle();
  const { providers } = (await service.call("GET", `/v2/user/providers/${user}`)).body;
  expect(providers).toMatchObject([{ status: "error" }]);
}

test("a late event of a connection is not sent once a later one tells of another state", async () => {
  const types = ["provider.connection.created", "provider.connection.error"] as const;
  const { retry, reasons } = await receiveLate(types, types[0]);
  const user = await service.createUser("connected late");
  await connectAccount(service, user, "connected-late");
  await breakConnection(user, "connected-late");
  expect(await retry()).toEqual([]);
  expect(await reasons()).toEqual([[types[0], "nothing_to_send"]]);
});

test("a late event of a connection is sent to an endpoint that does not receive the later one", async () => {
  const type = "provider.connection.created";
  const { retry } = await receiveLate([type], type);
  const user = await service.createUser("connected alone");
  await connectAccount(service, user, "connected-alone");
  await breakConnection(user, "connected-alone");
  expect((await retry()).map(({ event_type }) => event_type)).toEqual([type]);
});
