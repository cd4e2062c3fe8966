import { eventTable } from "../../contract/resources.ts";
import { EndpointRateStore } from "../../store/endpoint-rates.ts";
import { tableOf } from "../aws.ts";

export const make = () => new EndpointRateStore(tableOf(eventTable));
