import { createHash } from "node:crypto";
import * as z from "zod";
import { SqsError } from "./sqs-error.ts";

const attributeSchema = z.strictObject({
  DataType: z.string(),
  StringValue: z.string().optional(),
  BinaryValue: z.base64().optional(),
});

/** The attributes of a message by name, in their wire format (binary values in base64). */
export const messageAttributesSchema = z.record(z.string(), attributeSchema);
export type MessageAttributes = z.output<typeof messageAttributesSchema>;

const MAX_ATTRIBUTES = 10;
const namePattern = /^(?!aws\.|amazon\.)[\w-]+(\.[\w-]+)*$/i;
const typePattern = /^(String|Number|Binary)(\..+)?$/;

const isBinary = (dataType: string): boolean => dataType.startsWith("Binary");

/** The bytes of a value for size and digest: UTF-8 text, or the decoded base64. */
function valueBytes({ DataType, StringValue, BinaryValue }: MessageAttributes[string]): Buffer {
  return isBinary(DataType) ? Buffer.from(BinaryValue ?? "", "base64") : Buffer.from(StringValue ?? "");
}

/** Validates attributes as SQS does (Developer Guide, Amazon SQS message metadata). @throws SqsError */
export function validateAttributes(attributes: MessageAttributes): void {
  const entries = Object.entries(attributes);
  if (entries.length > MAX_ATTRIBUTES) {
    throw new SqsError("InvalidParameterValue", `A message can have at most ${MAX_ATTRIBUTES} attributes.`);
  }
  for (const [name, attribute] of entries) {
    if (name.length > 256 || !namePattern.test(name)) {
      throw new SqsError("InvalidParameterValue", `The message attribute name '${name}' is invalid.`);
    }
    if (!typePattern.test(attribute.DataType)) {
      throw new SqsError("InvalidParameterValue", `The type of message attribute '${name}' is invalid.`);
    }
    if (valueBytes(attribute).length === 0) {
      throw new SqsError("InvalidParameterValue", `Message attribute '${name}' has no value of its type.`);
    }
  }
}

/** Size of attributes in bytes, as part of the message size: names, types and values. */
export function attributesSize(attributes: MessageAttributes): number {
  let size = 0;
  for (const [name, attribute] of Object.entries(attributes)) {
    size += Buffer.byteLength(name) + Buffer.byteLength(attribute.DataType) + valueBytes(attribute).length;
  }
  return size;
}

/** The attributes that a consumer requested: by name, by `prefix.*`, or all with `All` or `.*`. */
export function selectAttributes(attributes: MessageAttributes, wanted: readonly string[]): MessageAttributes {
  const isWanted = (name: string) =>
    wanted.some(
      (want) => want === "All" || want === name || (want.endsWith(".*") && name.startsWith(want.slice(0, -2))),
    );
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isWanted(name)));
}

/** MD5 in hexadecimal. SQS clients verify messages with it. */
export const md5 = (content: string | Buffer): string => createHash("md5").update(content).digest("hex");

const TEXT = Buffer.from([1]);
const BINARY = Buffer.from([2]);

function withLength(content: Buffer): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return [length, content];
}

/** MD5OfMessageAttributes (Developer Guide, Calculating the MD5 message digest for message attributes). */
export function attributesMd5(attributes: MessageAttributes): string {
  const byName = Object.entries(attributes).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const parts = byName.flatMap(([name, attribute]) => [
    ...withLength(Buffer.from(name)),
    ...withLength(Buffer.from(attribute.DataType)),
    isBinary(attribute.DataType) ? BINARY : TEXT,
    ...withLength(valueBytes(attribute)),
  ]);
  return md5(Buffer.concat(parts));
}
