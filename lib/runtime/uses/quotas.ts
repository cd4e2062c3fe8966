import { directory } from "../../contract/resources.ts";
import { QuotaStore } from "../../store/quotas.ts";
import { tableOf } from "../aws.ts";

export const make = () => new QuotaStore(tableOf(directory));
