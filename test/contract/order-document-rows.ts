import { expect } from "vitest";
import { readBarCodes, readPageTexts } from "../unit/labs/documents/read-pdf.ts";
import type { ContractWorld } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";
import { createOrder } from "./order-rows.ts";

/** Creates an order that its laboratory has received. */
async function submittedOrder(world: ContractWorld): Promise<{ orderId: string }> {
  const orderId = await createOrder(world);
  await world.service.settle();
  return { orderId };
}

/** Checks that a document names its patient. @returns its text without spaces and line breaks. */
async function textOf(answer: { arrayBuffer: () => Promise<ArrayBuffer> }): Promise<string> {
  const text = (await readPageTexts(Buffer.from(await answer.arrayBuffer()))).join("");
  expect(text).toContain("AdaSample");
  return text;
}

const physician = { firstName: "Grace", lastName: "Physician", npi: "1234567893" };

/** Documents of orders, and the orders' related resources of a team. */
export const orderDocumentRows: MethodRows = {
  labTests: {
    getOrderRequistionPdf: {
      request: submittedOrder,
      shows: async (answer) => expect(await textOf(answer)).toContain("1990-05-17"),
    },
    getOrderAbnPdf: {
      request: submittedOrder,
      shows: async (answer) => expect(await textOf(answer)).toContain("Estimatedcost"),
    },
    getOrderCollectionInstructionPdf: {
      request: submittedOrder,
      shows: async (answer) => expect(await textOf(answer)).toContain("Stepbystep"),
    },
    getLabelsPdf: {
      request: async (world) => ({
        ...(await submittedOrder(world)),
        numberOfLabels: 2,
        collectionDate: new Date("2026-05-02T00:00:00Z"),
      }),
      shows: async (answer) => {
        const pdf = Buffer.from(await answer.arrayBuffer());
        expect(readBarCodes(pdf)).toHaveLength(2);
        expect((await readPageTexts(pdf))[0]).toContain("2026-05-02");
      },
    },
  },
  team: {
    get: {
      request: ({ service }) => ({ teamId: service.identity.team_id }),
      shows: (answer, { service }) => {
        const { team_id: id, org_id: orgId } = service.identity;
        expect(answer).toMatchObject({ id, orgId, configuration: { partialWebhooksEnabled: true } });
        expect(answer.apiKeys).toBeUndefined();
      },
    },
    getUserById: {
      request: ({ clientUserId }) => ({ queryId: clientUserId }),
      shows: (answer, { userId }) => expect(answer).toMatchObject([{ userId }]),
    },
    getPhysicians: {
      request: async (world) => {
        await createOrder(world, undefined, { physician });
        return { teamId: world.service.identity.team_id };
      },
      shows: (answer) => expect(answer).toEqual([physician]),
    },
  },
  user: {
    getTeamMetrics: {
      request: () => ({}),
      shows: (answer, { service }) =>
        expect(answer).toMatchObject({
          teamId: service.identity.team_id,
          numberOfUsers: expect.any(Number),
          numberOfConnectedSourcesByWeek: expect.arrayContaining([
            { date: expect.any(Date), value: expect.any(Number), all: expect.any(Number) },
          ]),
        }),
    },
    createPortalUrl: {
      request: async (world) => {
        const userId = await world.newUser();
        const address = { first_line: "1 Main Street", zip_code: "85004", state: "AZ", city: "Phoenix" };
        const about = { phone_number: "+16025550123", email: "ada@example.com", gender: "female", dob: "1990-05-17" };
        const body = { first_name: "Ada", last_name: "Sample", ...about, address };
        await world.service.call("PATCH", `/v2/user/${userId}/info`, { body });
        return { userId, context: "launch" };
      },
      shows: async ({ url, expiresIn }) => {
        expect(expiresIn).toBe(900);
        expect(await (await fetch(url)).text()).toContain("There are no orders yet.");
      },
    },
  },
};
