import { eventTable } from "../../contract/resources.ts";
import { DestinationStore } from "../../store/destinations.ts";
import { tableOf } from "../aws.ts";

export const make = () => new DestinationStore(tableOf(eventTable));
