import * as z from "zod";
import { eventReference } from "../catalogue/envelope.ts";

/** Message of a forwarding queue: an event, and the ARN of the target that a rule selected. */
export const forwardMessage = z.object({ to: z.string(), event: eventReference });
export type ForwardMessage = z.output<typeof forwardMessage>;
