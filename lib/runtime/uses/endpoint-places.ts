import { eventTable } from "../../contract/resources.ts";
import { EndpointPlaceStore } from "../../store/endpoint-places.ts";
import { tableOf } from "../aws.ts";

export const make = () => new EndpointPlaceStore(tableOf(eventTable));
