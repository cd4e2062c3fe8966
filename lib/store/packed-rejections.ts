import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { type Rejection, rejectionRecord } from "../domain/ingest/rejection.ts";

const rejectionList = z.array(rejectionRecord);

/** Compresses rejections for an item: ten thousand of them exceed its size. */
export const packRejections = (rejected: readonly Rejection[]): Uint8Array => gzipSync(JSON.stringify(rejected));

/** The rejections of an item, in the form of this version. */
export const unpackRejections = (packed: Uint8Array): Rejection[] =>
  rejectionList.parse(JSON.parse(gunzipSync(packed).toString("utf8")));
