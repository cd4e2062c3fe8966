import { directory } from "../../contract/resources.ts";
import { BulkStepStore } from "../../store/linking/bulk-steps.ts";
import { tableOf } from "../aws.ts";

export const make = () => new BulkStepStore(tableOf(directory));
