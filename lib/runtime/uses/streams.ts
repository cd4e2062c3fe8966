import { streams, summaryTable } from "../../contract/resources.ts";
import { StreamStore } from "../../store/streams.ts";
import { locate, tableOf } from "../aws.ts";
import { Bucket } from "../bucket.ts";
import { userKeyRing } from "../user-keys.ts";

export const make = () => new StreamStore(tableOf(summaryTable), new Bucket(locate(streams)), userKeyRing());
