import { numberedFields, toHl7Time, writeMessage, writeSegment } from "./write-message.ts";

/** Receiver, time and control id of a batch, and the control id of the batch that it answers. */
export interface BatchContext {
  readonly lab: string;
  readonly control: string;
  readonly at: string;
  readonly about: string;
}

/** Writes messages as a batch (HL7 v2.5.1, 2.10.3). */
export function writeBatch(messages: readonly string[], { lab, control, at, about }: BatchContext): string {
  const fields = numberedFields({ 3: "TRIBUTARY", 5: lab, 7: toHl7Time(at), 11: control, 12: about });
  // BHS-1 is the field separator itself, and BHS-2 has the encoding characters.
  const head = writeSegment("BHS", fields.slice(1)).replace("BHS|", "BHS|^~\\&");
  return `${writeMessage([head])}${messages.join("")}${writeMessage([writeSegment("BTS", [messages.length])])}`;
}
