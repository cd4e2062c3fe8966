import * as z from "zod";
import { eventReference } from "./envelope.ts";

/** A message of a forwarder's queue: an event, and the ARN of the target that a rule chose for it. */
export const forwardMessage = z.object({ to: z.string(), event: eventReference });
export type ForwardMessage = z.output<typeof forwardMessage>;
