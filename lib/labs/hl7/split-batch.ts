import { ReportRefused } from "../../domain/results/lab-report.ts";
import { fieldSeparatorOf } from "./message.ts";

/** A text with one or more messages. */
export interface MessageBatch {
  /** The batch control id (BHS-11); undefined for a message without the frame of a batch. */
  readonly batchControl: string | undefined;
  readonly messages: readonly string[];
}

/** Segments around messages: headers and trailers of files and batches. */
const FRAME = /^(?:FHS|BHS|BTS|FTS)(?![A-Z0-9])/;
/** A vertical tab before and a file separator after each message of the MLLP transport. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these frame a message
const TRANSPORT_FRAME = /[\u000b\u001c]/g;
const BYTE_ORDER_MARK = /^\ufeff/;
const BATCH_CONTROL = 11;
const MAX_CHARACTERS = 4_000_000;
const MAX_MESSAGES = 1_000;

/**
 * Splits a text into its messages (HL7 v2.5.1, 2.10.3 "Batch protocol"). Accepts all common line endings, although the
 * standard has one, and several messages without a batch header.
 * @throws ReportRefused for a text that is too long, or has segments before its first message.
 */
export function splitBatch(text: string): MessageBatch {
  if (text.length > MAX_CHARACTERS) throw new ReportRefused("The message is too long.");
  const lines = text
    .replace(BYTE_ORDER_MARK, "")
    .replaceAll(TRANSPORT_FRAME, "\r")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "");
  const batches = lines.filter((line) => line.startsWith("BHS"));
  const messages: string[][] = [];
  for (const line of lines.filter((one) => !FRAME.test(one))) {
    if (line.startsWith("MSH")) messages.push([line]);
    else if (messages.length === 0) throw new ReportRefused("The first line is not an MSH segment.");
    else messages.at(-1)?.push(line);
  }
  if (messages.length === 0) throw new ReportRefused("The first line is not an MSH segment.");
  if (messages.length > MAX_MESSAGES) throw new ReportRefused("The batch has too many messages.");
  const isFramed = lines.some((line) => FRAME.test(line)) || messages.length > 1;
  return {
    batchControl: isFramed ? batchControlOf(batches[0]) : undefined,
    messages: messages.map((one) => one.join("\r")),
  };
}

function batchControlOf(header = ""): string {
  // BHS-1 is the field separator itself.
  return header.split(fieldSeparatorOf(header))[BATCH_CONTROL - 1] ?? "";
}
