import { usageTable } from "../../contract/resources.ts";
import { UsageStore } from "../../store/usage.ts";
import { tableOf } from "../aws.ts";

export const make = () => new UsageStore(tableOf(usageTable));
