import { directory } from "../../contract/resources.ts";
import { InsuranceStore } from "../../store/insurances.ts";
import { tableOf } from "../aws.ts";

export const make = () => new InsuranceStore(tableOf(directory));
