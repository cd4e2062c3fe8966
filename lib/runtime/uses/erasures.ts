import { erasureTable } from "../../contract/resources.ts";
import { ErasureStore } from "../../store/erasure/erasures.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ErasureStore(tableOf(erasureTable));
