import type { LabReport } from "../domain/results/lab-report.ts";
import { acceptedOutcome, receiveFhir, rejectedOutcome } from "./fhir/receive-fhir.ts";
import { type MessageContext, receiveOru } from "./hl7/receive-oru.ts";

/** A parsed message of a laboratory, and its response. */
export interface ReceivedMessage {
  readonly reports: readonly LabReport[];
  /** The laboratory's identifier of the message. */
  readonly control: string;
  /** The reason of a refusal of the whole message. */
  readonly refusal: string | undefined;
  /** Builds the response. @param why the reason, if the parsed message is refused. */
  readonly answer: (why?: string) => { readonly text: string; readonly mediaType: string };
}

const HL7 = "application/hl7-v2; charset=utf-8";
const FHIR = "application/fhir+json; charset=utf-8";

/** Reads a message as FHIR if it starts as a JSON object, else as HL7 version 2. */
export function receiveMessage(text: string, ground: MessageContext): ReceivedMessage {
  return /^\s*\{/.test(text) ? readFhir(text, ground) : readHl7(text, ground);
}

function readFhir(text: string, { lab }: MessageContext): ReceivedMessage {
  const read = receiveFhir(text, lab);
  const answer = (why = read.refusal) => ({
    text: JSON.stringify(why === undefined ? acceptedOutcome : rejectedOutcome(why)),
    mediaType: FHIR,
  });
  return { ...read, answer };
}

function readHl7(text: string, ground: MessageContext): ReceivedMessage {
  const { report, control, code, acknowledgement, refuse } = receiveOru(text, ground);
  return {
    reports: report ? [report] : [],
    control,
    refusal: code === "AA" ? undefined : code,
    answer: (why) => ({ text: why === undefined ? acknowledgement : refuse(why), mediaType: HL7 }),
  };
}
