import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { findSegment, type Message, parseMessage, valueAt } from "./message.ts";
import { readOru } from "./read-oru.ts";
import { writeHeader, writeMessage, writeSegment } from "./write-message.ts";

/** Acknowledgement codes (HL7 table 0008): accepted (AA), content error (AE), message rejected (AR). */
type AcknowledgementCode = "AA" | "AE" | "AR";

/** The reports of a message, and its acknowledgement. */
export interface ReceivedOru {
  /** Empty for a refused message. */
  readonly reports: readonly LabReport[];
  /** Message control id (MSH-10); empty if absent. */
  readonly control: string;
  readonly code: AcknowledgementCode;
  readonly acknowledgement: string;
  /** Builds the acknowledgement of a message refused after parsing (AE). */
  readonly refuse: (why: string) => string;
}

/** Context of an acknowledgement: laboratory, control id, time and processing id. */
export interface MessageContext {
  readonly lab: string;
  readonly control: string;
  readonly at: string;
  readonly processing: "P" | "T";
}

/** Processing ids of debugging and training messages (HL7 table 0103). */
const NON_PRODUCTION_IDS = ["D", "T"];
/** Events of ORU whose messages have the structure ORU_R01; older senders leave the event out (HL7 table 0003). */
const EVENTS = ["R01", "R31", "R32", "R40", ""];

/** Reads a result message and builds its acknowledgement. Acknowledges a refusal instead of throwing it. */
export function receiveOru(text: string, context: MessageContext): ReceivedOru {
  let read: Message | undefined;
  try {
    read = parseMessage(text);
    if (headerAt(read, 9) !== "ORU" || !EVENTS.includes(headerAt(read, 9, 2)))
      return buildAnswer(read, context, "AR", "Only messages of type ORU^R01 are accepted.");
    if (context.processing === "P" && NON_PRODUCTION_IDS.includes(headerAt(read, 11))) {
      return buildAnswer(read, context, "AR", "Production does not accept training messages.");
    }
    if (headerAt(read, 10) === "") throw new ReportRefused("The message has no control id.");
    const reports = readOru(read, context.lab);
    return { ...buildAnswer(read, context, "AA"), reports };
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    return buildAnswer(read, context, read ? "AE" : "AR", error.message);
  }
}

const headerAt = (read: Message | undefined, field: number, component = 1): string =>
  read ? valueAt(read, findSegment(read, "MSH"), field, { component }) : "";

function buildAnswer(
  read: Message | undefined,
  context: MessageContext,
  code: AcknowledgementCode,
  why = "",
): ReceivedOru {
  const control = headerAt(read, 10);
  const event = /^[A-Z]\d\d$/.exec(headerAt(read, 9, 2))?.[0] ?? "R01";
  return {
    reports: [],
    control,
    code,
    acknowledgement: writeAcknowledgement({ control, event }, context, code, why),
    refuse: (reason) => writeAcknowledgement({ control, event }, context, "AE", reason),
  };
}

function writeAcknowledgement(
  about: { readonly control: string; readonly event: string },
  { lab: receiver, control, at, processing }: MessageContext,
  code: AcknowledgementCode,
  why: string,
): string {
  const type = ["ACK", about.event, "ACK"];
  const head = writeHeader({ sender: "TRIBUTARY", receiver, type, control, at, processing });
  const failure = why === "" ? [] : [writeSegment("ERR", ["", "", "207", "E", "", "", "", why])];
  return writeMessage([head, writeSegment("MSA", [code, about.control]), ...failure]);
}
