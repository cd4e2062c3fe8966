import { summaryTable } from "../../contract/resources.ts";
import { SummaryStore } from "../../store/summaries.ts";
import { tableOf } from "../aws.ts";
import { versionsKeptMs } from "../deployment.ts";
import { userKeyRing } from "../user-keys.ts";

export const make = () => new SummaryStore(tableOf(summaryTable), userKeyRing(), versionsKeptMs());
