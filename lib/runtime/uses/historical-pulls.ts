import { directory } from "../../contract/resources.ts";
import { HistoricalPullStore } from "../../store/linking/historical-pulls.ts";
import { tableOf } from "../aws.ts";

export const make = () => new HistoricalPullStore(tableOf(directory));
