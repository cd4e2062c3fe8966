import { labTable } from "../../contract/resources.ts";
import { LabReportStore } from "../../store/lab-reports/lab-reports.ts";
import { tableOf } from "../aws.ts";

export const make = () => new LabReportStore(tableOf(labTable));
