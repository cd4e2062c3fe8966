import { labTable } from "../../contract/resources.ts";
import { LabAccountStore } from "../../store/lab-accounts.ts";
import { tableOf } from "../aws.ts";

export const make = () => new LabAccountStore(tableOf(labTable));
