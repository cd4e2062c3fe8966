import { eventTable } from "../../contract/resources.ts";
import { SyncPartStore } from "../../store/linking/sync-parts.ts";
import { tableOf } from "../aws.ts";

export const make = () => new SyncPartStore(tableOf(eventTable));
