import { directory } from "../../contract/resources.ts";
import { ContinuousQueryStore } from "../../store/continuous-queries.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ContinuousQueryStore(tableOf(directory));
