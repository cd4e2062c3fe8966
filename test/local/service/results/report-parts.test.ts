import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import {
  orderStatusLevels,
  patientDetails,
  placeOrder,
  sandboxLabTests,
  simulateOrder,
} from "../orders/order-helpers.ts";
import { createLabKey, createLabSender, createOpenOrder, createOruMessage, requisitionOf } from "./result-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
let send: ReturnType<typeof createLabSender>;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("whose results come in parts");
  send = createLabSender(service, await createLabKey(service));
});
afterAll(() => service.stop());

const read = async (path: string): Promise<Body> => (await service.call("GET", `/v3${path}`)).body;
const valuesOf = async ({ id }: Body): Promise<string[]> =>
  (await read(`/order/${id}/result`)).results.map(({ result }: Body) => result);
const criticalEventsOf = async ({ id }: Body): Promise<Body[]> => {
  await service.settle();
  const published = await service.inbox("labtest.result.critical");
  return published.map(({ body }) => body.data).filter((data) => data.order_id === id);
};
const sodium = { loinc: "2951-2", value: "170", flag: "HH" };

describe("two reports of an order with one number, status and time", () => {
  /** Two messages of HL7, or two Bundles, with one report number: glucose, and then a critical sodium. */
  const messagesOf = (format: string, order: Body, status: string): [string, string] => {
    const about = { requisition: requisitionOf(order), report: `P-${order.id.slice(0, 8)}`, status };
    const id = order.id.slice(0, 8);
    return format === "HL7"
      ? [
          createOruMessage({ ...about, control: `${id}1` }),
          createOruMessage({ ...about, control: `${id}2`, ...sodium }),
        ]
      : [createBundle(`${id}1`, about, "2345-7", 85, "N"), createBundle(`${id}2`, about, "2951-2", 170, "HH")];
  };

  test.each(["HL7", "FHIR"])("are both results while they are partial, in %s", async (format) => {
    const order = await createOpenOrder(service, userId);
    const [first, second] = messagesOf(format, order, "P");
    for (const message of [first, second, second, first]) expect((await send(message)).status).toBe(200);
    expect(await valuesOf(order)).toEqual(["85", "170"]);
    expect(await criticalEventsOf(order)).toMatchObject([{ interpretation: "critical" }]);
    expect(orderStatusLevels(await read(`/order/${order.id}`)).slice(-2)).toEqual([
      "partial_results",
      "partial_results",
    ]);
  });

  test("wait for a reviewer if the first one completed the order", async () => {
    const order = await createOpenOrder(service, userId);
    for (const message of messagesOf("HL7", order, "F")) expect((await send(message)).code).toBe("AA");
    const { data } = await read("/unmatched_result?decision_code=match_completed");
    const [review] = data.filter(({ candidate_groups }: Body) => JSON.stringify(candidate_groups).includes(order.id));
    expect(review).toMatchObject({ interpretation: "critical", allowed_actions: ["accept", "reject", "unsure"] });
    const accepted = await service.call("POST", `/v3/unmatched_result/${review.id}/accept`, { body: {} });
    expect([accepted.status, accepted.body.interpretation]).toEqual([200, "critical"]);
    expect(await valuesOf(order)).toEqual(["85", "170"]);
    expect(await criticalEventsOf(order)).toHaveLength(1);
  });

  test("are one if the content is the same, in another message", async () => {
    const order = await createOpenOrder(service, userId);
    const [first] = messagesOf("HL7", order, "P");
    const again = first.replace(/\|(\w+1)\|P\|2/, "|$1-again|P|2");
    expect(again).not.toBe(first);
    for (const message of [first, again]) expect((await send(message)).code).toBe("AA");
    expect(orderStatusLevels(await read(`/order/${order.id}`)).slice(-2)).toEqual([
      "requisition_created",
      "partial_results",
    ]);
  });
});

test("a second correction with the time of the first one replaces its value", async () => {
  const order = await createOpenOrder(service, userId);
  const about = { requisition: requisitionOf(order), report: `S-${order.id.slice(0, 8)}` };
  for (const [hour, status, value, flag] of [
    ["08", "F", "90", "N"],
    ["09", "C", "95", "N"],
    ["10", "C", "600", "HH"],
  ] as const) {
    const message = createOruMessage({
      ...{ ...about, control: `S${hour}`, status, value, flag, sent: `2026-05-01T${hour}:00:00Z` },
      reported: "2026-05-01T08:00:00Z",
    });
    expect((await send(message)).code).toBe("AA");
  }
  expect(await valuesOf(order)).toEqual(["600"]);
  // The order has no sample number of its own.
  expect(await criticalEventsOf(order)).toMatchObject([{ sample_id: about.report }]);
});

test("a kit whose partial results become critical again sends an event each time", async () => {
  const lab = createLabSender(service, await createLabKey(service, "ussl"));
  const placed = await placeOrder(service, userId, { order_set: { lab_test_ids: [sandboxLabTests.testkit] } });
  const order = await simulateOrder(service, placed.id, "?final_status=sample_with_lab.testkit.delivered_to_lab");
  const values = ["900", "85", "901", "902"];
  const messages = values.map((value, hour) =>
    createOruMessage({
      ...{ control: `K${hour}`, requisition: requisitionOf(order), report: "K", status: "P", value },
      ...{ flag: value === "85" ? "N" : "HH", reported: `2026-05-01T0${hour}:00:00Z` },
    }),
  );
  for (const message of [...messages, ...messages]) expect((await lab(message)).code).toBe("AA");
  expect(await criticalEventsOf(order)).toHaveLength(2);
  expect((await read(`/order/${order.id}`)).interpretation).toBe("critical");
});

function createBundle(
  control: string,
  { requisition, report }: { readonly requisition: string; readonly report: string },
  loinc: string,
  value: number,
  flag: string,
): string {
  const patient = {
    name: [{ family: patientDetails.last_name, given: [patientDetails.first_name] }],
    birthDate: patientDetails.dob,
    gender: "female",
  };
  const entry = [
    { fullUrl: "urn:uuid:p", resource: { resourceType: "Patient", ...patient } },
    {
      fullUrl: "urn:uuid:o",
      resource: {
        ...{
          resourceType: "Observation",
          status: "final",
          code: { coding: [{ system: "http://loinc.org", code: loinc }] },
        },
        ...{ valueQuantity: { value, unit: "mg/dL" }, interpretation: [{ coding: [{ code: flag }] }] },
      },
    },
    {
      resource: {
        ...{
          resourceType: "DiagnosticReport",
          identifier: [{ value: report }],
          status: "partial",
          code: { text: "Panel" },
        },
        ...{ issued: "2026-05-01T08:00:00Z", subject: { reference: "urn:uuid:p" } },
        ...{ basedOn: [{ identifier: { value: requisition } }], result: [{ reference: "urn:uuid:o" }] },
      },
    },
  ];
  return JSON.stringify({ resourceType: "Bundle", type: "collection", identifier: { value: control }, entry });
}
