import { eventTable } from "../../contract/resources.ts";
import { DeliveryMetricStore } from "../../store/delivery-metrics.ts";
import { tableOf } from "../aws.ts";

export const make = () => new DeliveryMetricStore(tableOf(eventTable));
