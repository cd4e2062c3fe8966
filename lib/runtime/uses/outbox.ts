import { eventTable } from "../../contract/resources.ts";
import { OutboxStore } from "../../store/outbox.ts";
import { tableOf } from "../aws.ts";

/** In tests and locally an event is checked where it is written, as answers are where they are given. */
const makeCheck = async () => (process.env.CHECK_RESPONSES ? (await import("./event-check.ts")).make() : undefined);

export const make = async () => new OutboxStore(tableOf(eventTable), await makeCheck());
