import { eventTable } from "../../contract/resources.ts";
import { ReceiptStore } from "../../store/receipts.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ReceiptStore(tableOf(eventTable));
