import { eventTable } from "../../contract/resources.ts";
import { OutboxStore } from "../../store/outbox.ts";
import { tableOf } from "../aws.ts";

export const make = () => new OutboxStore(tableOf(eventTable));
