import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { findSegment, type Message, parseMessage, valueAt } from "./message.ts";
import { readOru } from "./read-oru.ts";
import { writeHeader, writeMessage, writeSegment } from "./write-message.ts";

/** Acknowledgement codes (HL7 table 0008): accepted (AA), content error (AE), message rejected (AR). */
type AcknowledgementCode = "AA" | "AE" | "AR";

/** The report of a message, and its acknowledgement. */
export interface ReceivedOru {
  readonly report: LabReport | undefined;
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

/** Reads a result message and builds its acknowledgement. Acknowledges a refusal instead of throwing it. */
export function receiveOru(text: string, ground: MessageContext): ReceivedOru {
  let read: Message | undefined;
  try {
    read = parseMessage(text);
    const type = [1, 2].map((component) => headerAt(read, 9, component)).join("^");
    if (type !== "ORU^R01") return buildAnswer(read, ground, "AR", "Only messages of type ORU^R01 are accepted.");
    if (ground.processing === "P" && NON_PRODUCTION_IDS.includes(headerAt(read, 11))) {
      return buildAnswer(read, ground, "AR", "Production does not accept training messages.");
    }
    if (headerAt(read, 10) === "") throw new ReportRefused("The message has no control id.");
    const report = readOru(read, ground.lab);
    return { ...buildAnswer(read, ground, "AA"), report };
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    return buildAnswer(read, ground, read ? "AE" : "AR", error.message);
  }
}

const headerAt = (read: Message | undefined, field: number, component = 1): string =>
  read ? valueAt(read, findSegment(read, "MSH"), field, { component }) : "";

function buildAnswer(
  read: Message | undefined,
  ground: MessageContext,
  code: AcknowledgementCode,
  why = "",
): ReceivedOru {
  const control = headerAt(read, 10);
  return {
    report: undefined,
    control,
    code,
    acknowledgement: writeAcknowledgement(control, ground, code, why),
    refuse: (reason) => writeAcknowledgement(control, ground, "AE", reason),
  };
}

function writeAcknowledgement(about: string, ground: MessageContext, code: AcknowledgementCode, why: string): string {
  const { lab: receiver, control, at, processing } = ground;
  const head = writeHeader({ sender: "TRIBUTARY", receiver, type: ["ACK", "R01", "ACK"], control, at, processing });
  const failure = why === "" ? [] : [writeSegment("ERR", ["", "", "207", "E", "", "", "", why])];
  return writeMessage([head, writeSegment("MSA", [code, about]), ...failure]);
}
