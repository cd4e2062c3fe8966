import { samples } from "../../contract/resources.ts";
import { ChunkStore } from "../../store/chunks.ts";
import { tableOf } from "../aws.ts";
import { versionsKeptMs } from "../deployment.ts";
import { userKeyRing } from "../user-keys.ts";

export const make = () => new ChunkStore(tableOf(samples), userKeyRing(), versionsKeptMs());
