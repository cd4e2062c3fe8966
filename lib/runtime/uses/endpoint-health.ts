import { eventTable } from "../../contract/resources.ts";
import { EndpointHealthStore } from "../../store/endpoint-health.ts";
import { tableOf } from "../aws.ts";

export const make = () => new EndpointHealthStore(tableOf(eventTable));
