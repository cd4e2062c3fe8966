import { directory } from "../../contract/resources.ts";
import { BulkOpStore } from "../../store/linking/bulk-ops.ts";
import { tableOf } from "../aws.ts";

export const make = () => new BulkOpStore(tableOf(directory));
