import { summaryTable } from "../../contract/resources.ts";
import { QueryResultStore } from "../../store/query-results.ts";
import { tableOf } from "../aws.ts";

export const make = () => new QueryResultStore(tableOf(summaryTable));
