import { labTable } from "../../contract/resources.ts";
import { ReportAliasStore } from "../../store/lab-reports/report-aliases.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ReportAliasStore(tableOf(labTable));
