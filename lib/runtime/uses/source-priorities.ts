import { directory } from "../../contract/resources.ts";
import { SourcePriorityStore } from "../../store/source-priorities.ts";
import { tableOf } from "../aws.ts";

export const make = () => new SourcePriorityStore(tableOf(directory));
