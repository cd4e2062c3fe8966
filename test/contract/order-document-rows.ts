import { expect } from "vitest";
import { barCodesOf, pagesOf } from "../unit/labs/documents/read-pdf.ts";
import { orderOf } from "./order-rows.ts";
import type { Rows } from "./row.ts";
import type { World } from "./world.ts";

/** A new order that its laboratory has. */
async function submittedOrder(world: World): Promise<{ orderId: string }> {
  const orderId = await orderOf(world);
  await world.service.settle();
  return { orderId };
}

/** The letters of a document, after it was seen to be one of its patient. */
async function textOf(answer: { arrayBuffer: () => Promise<ArrayBuffer> }): Promise<string> {
  const text = (await pagesOf(Buffer.from(await answer.arrayBuffer()))).join("");
  expect(text).toContain("AdaSample");
  return text;
}

/** Documents of orders. */
export const orderDocumentRows: Rows = {
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
        expect(barCodesOf(pdf)).toHaveLength(2);
        expect((await pagesOf(pdf))[0]).toContain("2026-05-02");
      },
    },
  },
};
