import { eventTable } from "../../contract/resources.ts";
import { DeliveryStore } from "../../store/deliveries.ts";
import { tableOf } from "../aws.ts";

export const make = () => new DeliveryStore(tableOf(eventTable));
