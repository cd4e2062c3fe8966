import { labTable } from "../../contract/resources.ts";
import { LabTestStore } from "../../store/lab-tests.ts";
import { tableOf } from "../aws.ts";

export const make = () => new LabTestStore(tableOf(labTable));
