import { eventTable } from "../../contract/resources.ts";
import { NewestEventStore } from "../../store/newest-events.ts";
import { tableOf } from "../aws.ts";

export const make = () => new NewestEventStore(tableOf(eventTable));
