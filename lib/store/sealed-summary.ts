import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { summaryTable } from "../contract/resources.ts";
import { type SummaryRecord, summaryRecord } from "./summary-record.ts";
import type { Key } from "./table.ts";
import type { UserSeal } from "./user-seals.ts";

/** The first byte of what is sealed: fields as JSON, compressed; another one for later codecs. */
const CODEC = 1;

/** A summary as its item has it: all but the fields, which are sealed. Versions before user keys have stored them as they are. */
export const sealedSummary = summaryRecord.extend({
  pk: z.string(),
  sk: z.string(),
  b: z.instanceof(Uint8Array).optional(),
  fields: summaryRecord.shape.fields.optional(),
});

type Fields = SummaryRecord["fields"];
type SealedItem = Key & { readonly b?: Uint8Array | undefined; readonly fields?: Fields | undefined };

/** The item of a summary, or of a version of one, at a key. */
export function sealSummary<R extends { readonly fields: Fields }>(seal: UserSeal, key: Key, { fields, ...rest }: R) {
  const plain = Buffer.concat([Buffer.from([CODEC]), deflateRawSync(JSON.stringify(fields))]);
  return { ...rest, ...key, b: seal.seal(plain, placeOf(key)) };
}

/** @throws when what is sealed was altered, or is of another user or key, or of a codec that is not known. */
export function openSummary<I extends SealedItem>(
  seal: UserSeal,
  { pk, sk, b, fields, ...rest }: I,
): Omit<I, "pk" | "sk" | "b" | "fields"> & { fields: Fields } {
  if (b === undefined) return { ...rest, fields: fields ?? {} };
  const plain = seal.open(b, placeOf({ pk, sk }));
  if (plain[0] !== CODEC) throw new Error(`unknown codec ${plain[0]} of a summary`);
  return { ...rest, fields: JSON.parse(inflateRawSync(plain.subarray(1)).toString("utf8")) };
}

/** What the fields of a summary are bound to: the table by its name in the service, which a restored one has too. */
const placeOf = ({ pk, sk }: Key): readonly string[] => [summaryTable.name, pk, sk];
