import { eventTable } from "../../contract/resources.ts";
import { WebhookTaskStore } from "../../store/webhook-tasks.ts";
import { tableOf } from "../aws.ts";

export const make = () => new WebhookTaskStore(tableOf(eventTable));
