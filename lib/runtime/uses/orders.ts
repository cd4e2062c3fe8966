import { labTable } from "../../contract/resources.ts";
import { OrderStore } from "../../store/orders.ts";
import { tableOf } from "../aws.ts";

export const make = () => new OrderStore(tableOf(labTable));
