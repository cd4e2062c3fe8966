import { directory } from "../../contract/resources.ts";
import { DeliveredDataStore } from "../../store/linking/delivered-data.ts";
import { tableOf } from "../aws.ts";

export const make = () => new DeliveredDataStore(tableOf(directory));
