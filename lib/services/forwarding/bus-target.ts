import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { clientByRegion, type ForwardTarget } from "./forward-events.ts";

const SOURCE = "tributary";
/** "The total entry size must be less than 1MB" (EventBridge API reference, PutEvents). */
const MAX_ENTRY_BYTES = 1_048_576 - 1;

const clientFor = clientByRegion((region) => new EventBridgeClient({ region }));

/** Forwards to other EventBridge buses, with the whole body as detail. */
export const busTarget: ForwardTarget = {
  operation: "forwardToBus",
  maxEntries: 10,
  maxRequestBytes: MAX_ENTRY_BYTES,
  maxEntryBytes: MAX_ENTRY_BYTES,
  sizeOf: ({ event, body }) => SOURCE.length + Buffer.byteLength(event.type) + Buffer.byteLength(body),
  async send(arn, request) {
    const Entries = request.map(({ event, body }) => ({
      EventBusName: arn,
      Source: SOURCE,
      DetailType: event.type,
      Detail: body,
    }));
    const answer = await clientFor(arn).send(new PutEventsCommand({ Entries }));
    const refusals = request.flatMap((one, index) => {
      const result = answer.Entries?.[index];
      if (result?.EventId) return [];
      return [[one, new Error(`the bus refused the event: ${result?.ErrorCode ?? "no answer"}`)] as const];
    });
    return new Map(refusals);
  },
};
