import { eventTable } from "../../contract/resources.ts";
import { QueryTaskStore } from "../../store/query-tasks.ts";
import { tableOf } from "../aws.ts";

export const make = () => new QueryTaskStore(tableOf(eventTable));
