import { labTable } from "../../contract/resources.ts";
import { OrderWorkStore } from "../../store/order-work.ts";
import { tableOf } from "../aws.ts";

export const make = () => new OrderWorkStore(tableOf(labTable));
