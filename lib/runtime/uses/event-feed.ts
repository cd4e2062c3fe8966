import { eventTable } from "../../contract/resources.ts";
import { EventFeedStore } from "../../store/event-feed.ts";
import { tableOf } from "../aws.ts";

export const make = () => new EventFeedStore(tableOf(eventTable));
