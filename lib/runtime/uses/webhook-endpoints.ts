import { eventTable } from "../../contract/resources.ts";
import { WebhookEndpointStore } from "../../store/webhook-endpoints.ts";
import { tableOf } from "../aws.ts";

export const make = () => new WebhookEndpointStore(tableOf(eventTable));
