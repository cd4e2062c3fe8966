import { labTable } from "../../contract/resources.ts";
import { SlotStore } from "../../store/slots.ts";
import { tableOf } from "../aws.ts";

export const make = () => new SlotStore(tableOf(labTable));
