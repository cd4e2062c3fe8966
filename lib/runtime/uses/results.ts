import { labTable } from "../../contract/resources.ts";
import { ResultStore } from "../../store/results/results.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ResultStore(tableOf(labTable));
