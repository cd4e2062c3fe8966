import { eventTable } from "../../contract/resources.ts";
import { DeliverySlotStore } from "../../store/delivery-slots.ts";
import { tableOf } from "../aws.ts";

export const make = () => new DeliverySlotStore(tableOf(eventTable));
