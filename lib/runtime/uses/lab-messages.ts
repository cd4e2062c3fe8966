import { labTable } from "../../contract/resources.ts";
import { LabMessageStore } from "../../store/results/lab-messages.ts";
import { tableOf } from "../aws.ts";

export const make = () => new LabMessageStore(tableOf(labTable));
