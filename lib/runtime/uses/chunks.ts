import { samples } from "../../contract/resources.ts";
import { ChunkStore } from "../../store/chunks.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ChunkStore(tableOf(samples));
