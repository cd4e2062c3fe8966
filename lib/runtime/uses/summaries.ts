import { summaryTable } from "../../contract/resources.ts";
import { SummaryStore } from "../../store/summaries.ts";
import { tableOf } from "../aws.ts";

export const make = () => new SummaryStore(tableOf(summaryTable));
