import { eventTable } from "../../contract/resources.ts";
import { DeliveryLeaseStore } from "../../store/delivery-leases.ts";
import { tableOf } from "../aws.ts";

export const make = () => new DeliveryLeaseStore(tableOf(eventTable));
