import { eventTable } from "../../contract/resources.ts";
import { ExportJobStore } from "../../store/export-jobs.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ExportJobStore(tableOf(eventTable));
