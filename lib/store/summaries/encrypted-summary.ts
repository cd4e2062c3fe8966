import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { summaryTable } from "../../contract/resources.ts";
import type { Key } from "../item.ts";
import type { UserCipher } from "../user-encryption.ts";
import { type SummaryRecord, summaryRecord } from "./summary-record.ts";

/** First byte of the plaintext: it identifies the codec (compressed JSON of the fields). */
const CODEC = 1;

/** A stored summary. Its fields are encrypted; items written before user keys existed have plaintext fields. */
export const encryptedSummary = summaryRecord.extend({
  pk: z.string(),
  sk: z.string(),
  b: z.instanceof(Uint8Array).optional(),
  fields: summaryRecord.shape.fields.optional(),
});

type Fields = SummaryRecord["fields"];
type SealedItem = Key & { readonly b?: Uint8Array | undefined; readonly fields?: Fields | undefined };

/** Returns the item of a summary, or of a version of one, with encrypted fields. */
export function encryptSummary<R extends { readonly fields: Fields }>(
  seal: UserCipher,
  key: Key,
  { fields, ...rest }: R,
) {
  const plain = Buffer.concat([Buffer.from([CODEC]), deflateRawSync(JSON.stringify(fields))]);
  return { ...rest, ...key, b: seal.encrypt(plain, summaryAssociatedData(key)) };
}

/**
 * Decrypts a stored summary.
 * @throws if the content was altered, belongs to another user or key, or has an unknown codec.
 */
export function decryptSummary<I extends SealedItem>(
  seal: UserCipher,
  { pk, sk, b, fields, ...rest }: I,
): Omit<I, "pk" | "sk" | "b" | "fields"> & { fields: Fields } {
  if (b === undefined) return { ...rest, fields: fields ?? {} };
  const plain = seal.decrypt(b, summaryAssociatedData({ pk, sk }));
  if (plain[0] !== CODEC) throw new Error(`The summary has the unknown codec ${plain[0]}.`);
  return { ...rest, fields: JSON.parse(inflateRawSync(plain.subarray(1)).toString("utf8")) };
}

/**
 * Returns the associated data of a summary's encryption. It names the table as the service does, so a restored table
 * decrypts too.
 */
const summaryAssociatedData = ({ pk, sk }: Key): readonly string[] => [summaryTable.name, pk, sk];
