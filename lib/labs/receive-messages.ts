import { type LabReport, ReportRefused } from "../domain/results/lab-report.ts";
import { acceptedOutcome, receiveFhir, rejectedOutcome } from "./fhir/receive-fhir.ts";
import { type MessageContext, receiveOru } from "./hl7/receive-oru.ts";
import { type MessageBatch, splitBatch } from "./hl7/split-batch.ts";
import { writeBatch } from "./hl7/write-batch.ts";

/** A parsed message of a laboratory, and its response. */
export interface ReceivedMessage {
  readonly reports: readonly LabReport[];
  /** The laboratory's identifier of the message. */
  readonly control: string;
  /** The reason of a refusal of the whole message. */
  readonly refusal: string | undefined;
  /** Builds the response. @param why the reason, if the parsed message is refused. */
  readonly answer: (why?: string) => string;
}

/** The messages of a request, and its response. */
export interface ReceivedMessages {
  readonly messages: readonly ReceivedMessage[];
  readonly mediaType: string;
  /** Builds the response from those of the messages, in the same order. */
  readonly answer: (answers: readonly string[]) => string;
}

const HL7 = "application/hl7-v2; charset=utf-8";
const FHIR = "application/fhir+json; charset=utf-8";

/** Reads a text as FHIR if it starts as a JSON object, else as one or more messages of HL7 version 2. */
export function receiveMessages(text: string, context: MessageContext): ReceivedMessages {
  if (/^\s*\{/.test(text)) {
    return { messages: [readFhir(text, context)], mediaType: FHIR, answer: ([only = ""]) => only };
  }
  const { messages, batchControl } = split(text);
  return {
    messages: messages.map((one, place) => readHl7(one, { ...context, control: controlOf(context.control, place) })),
    mediaType: HL7,
    answer: (answers) =>
      batchControl === undefined ? (answers[0] ?? "") : writeBatch(answers, { ...context, about: batchControl }),
  };
}

/** A text that cannot be split is one message, whose acknowledgement gives the reason. */
function split(text: string): MessageBatch {
  try {
    return splitBatch(text);
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    return { messages: [text], batchControl: undefined };
  }
}

/** Control id of the acknowledgement at a place of a batch. It has at most 20 characters (HL7 v2.5.1, MSH-10). */
const controlOf = (first: string, place: number): string =>
  place === 0 ? first : `${first.slice(0, 16)}${String(place).padStart(4, "0")}`;

function readFhir(text: string, { lab }: MessageContext): ReceivedMessage {
  const read = receiveFhir(text, lab);
  return {
    ...read,
    answer: (why = read.refusal) => JSON.stringify(why === undefined ? acceptedOutcome : rejectedOutcome(why)),
  };
}

function readHl7(text: string, context: MessageContext): ReceivedMessage {
  const { reports, control, code, acknowledgement, refuse } = receiveOru(text, context);
  return {
    reports,
    control,
    refusal: code === "AA" ? undefined : code,
    answer: (why) => (why === undefined ? acknowledgement : refuse(why)),
  };
}
