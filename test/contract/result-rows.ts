import { expect } from "vitest";
import type { ContractWorld } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";

const patient = {
  firstName: "Ada",
  lastName: "Sample",
  dob: "1990-05-17",
  gender: "female" as const,
  phoneNumber: "+16025550123",
  email: "ada@example.com",
};
const address = { firstLine: "West Lincoln Street 1", city: "Phoenix", state: "AZ", zip: "85004", country: "US" };

/** Creates an order with its result. */
async function completed(world: ContractWorld) {
  const { order } = await world.client.labTests.createOrder({
    userId: await world.newUser(),
    patientDetails: patient,
    patientAddress: address,
    orderSet: { labTestIds: ["00000000-0000-4000-9000-000000000002"] },
  });
  const body = { interpretation: "abnormal" as const, hasMissingResults: true };
  await world.client.labTests.simulateOrderProcess({ orderId: order.id, body });
  await world.service.settle();
  return order;
}
const transactionOf = async (world: ContractWorld) => ({
  transactionId: (await completed(world)).orderTransaction?.id ?? "",
});

/** Creates a match test. Its key distinguishes it from others. */
async function tried(world: ContractWorld, name: "match_demo" | "no_match") {
  const { runId } = await world.client.labTests.createUnmatchedResultTest({
    idempotencyKey: world.newClientUserId(),
    case: name,
    orderSource: "managed",
  });
  await world.service.settle();
  return { runId };
}

/** Creates an unmatched result. */
async function unmatched(world: ContractWorld, name: "match_demo" | "no_match") {
  const { rawResultId } = await world.client.labTests.getUnmatchedResultTest(await tried(world, name));
  return { rawResultId: rawResultId ?? "" };
}

const isPdf = async (answer: { arrayBuffer: () => Promise<ArrayBuffer> }) =>
  expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 5)).toBe("%PDF-");

const showsResult = (answer: { metadata: unknown; results: unknown; missingResults?: unknown }) => {
  expect(answer).toMatchObject({
    metadata: { patient: "Ada Sample", status: "final", interpretation: "abnormal" },
    missingResults: [{ inferredFailureType: "quantity_not_sufficient_failure", sourceMarkers: [expect.any(Object)] }],
    orderTransaction: { status: "completed" },
  });
  expect(answer.results).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ interpretation: "abnormal", timestamp: expect.any(Date) })]),
  );
};

/** Results, and unmatched results. */
export const resultRows: MethodRows = {
  labTests: {
    getResultRaw: {
      request: async (world) => ({ orderId: (await completed(world)).id }),
      shows: showsResult,
    },
    getResultMetadata: {
      request: async (world) => ({ orderId: (await completed(world)).id }),
      shows: (answer) => expect(answer).toMatchObject({ patient: "Ada Sample", dob: "1990-05-17", status: "final" }),
    },
    getResultPdf: {
      request: async (world) => ({ orderId: (await completed(world)).id }),
      shows: isPdf,
    },
    listUnmatchedResultTestCases: {
      request: () => ({}),
      shows: ({ data }) => {
        const asked = { case: "match_demo", orderRoles: ["order"], requiredStatuses: { order: "requisition_created" } };
        expect(data).toMatchObject(expect.arrayContaining([expect.objectContaining(asked)]));
      },
    },
    createUnmatchedResultTest: {
      request: () => ({ idempotencyKey: "a key of this trial", case: "no_match", orderSource: "managed" }),
      shows: (answer) => expect(answer).toEqual({ runId: expect.any(String), status: "queued" }),
    },
    getUnmatchedResultTest: {
      request: (world) => tried(world, "match_demo"),
      shows: (answer) =>
        expect(answer).toMatchObject({ status: "succeeded", orders: { order: { orderId: expect.any(String) } } }),
    },
    listUnmatchedResults: {
      request: async (world) => {
        await unmatched(world, "no_match");
        return { limit: 1, decisionCode: "no_match", status: "pending_customer_review" };
      },
      shows: (answer) => {
        expect(answer.total).toBeGreaterThan(0);
        expect(answer.data).toMatchObject([{ decisionCode: "no_match", createdAt: expect.any(Date) }]);
      },
    },
    getUnmatchedResult: {
      request: (world) => unmatched(world, "match_demo"),
      shows: (answer) =>
        expect(answer).toMatchObject({
          decisionCode: "match_demo",
          allowedActions: ["accept", "reject", "unsure"],
          candidateGroups: [{ candidates: [{ candidateType: "order_option" }] }],
        }),
    },
    acceptUnmatchedResult: {
      request: (world) => unmatched(world, "match_demo"),
      shows: (answer) => expect(answer).toMatchObject({ status: "completed", interpretation: "normal" }),
    },
    resolveUnmatchedResult: {
      request: async (world) => ({ ...(await unmatched(world, "no_match")), action: "reject", note: "Not ours" }),
      shows: (answer) => expect(answer).toMatchObject({ status: "resolved", resolutionAction: "reject" }),
    },
  },
  orderTransaction: {
    getTransactionResult: { request: transactionOf, shows: showsResult },
    getTransactionResultPdf: { request: transactionOf, shows: isPdf },
  },
};
