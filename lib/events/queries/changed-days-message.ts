import * as z from "zod";
import { eventReference } from "../catalogue/envelope.ts";

/**
 * Queue message about changed data: the reference of its event. Deleted samples have no event, so their message names
 * the days of the user on which results change, counted from 1970-01-01. The version before finds no event and skips it.
 */
export const changedDaysMessage = eventReference.extend({ days: z.array(z.number().int()).optional() });
export type ChangedDaysMessage = z.output<typeof changedDaysMessage>;
