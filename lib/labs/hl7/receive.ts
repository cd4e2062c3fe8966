import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { type Message, parseMessage, segmentOf, valueAt } from "./message.ts";
import { readOru } from "./read-oru.ts";
import { header, message, segment } from "./write.ts";

/** Acknowledgement codes (HL7 table 0008): accepted (AA), content error (AE), message rejected (AR). */
export type Acknowledgement = "AA" | "AE" | "AR";

/** The report of a message, and its acknowledgement. */
export interface Received {
  readonly report: LabReport | undefined;
  /** Message control id (MSH-10); empty if absent. */
  readonly control: string;
  readonly code: Acknowledgement;
  readonly acknowledgement: string;
  /** Builds the acknowledgement of a message refused after parsing (AE). */
  readonly refuse: (why: string) => string;
}

/** Context of an acknowledgement: laboratory, control id, time and processing id. */
export interface AnswerGround {
  readonly lab: string;
  readonly control: string;
  readonly at: string;
  readonly processing: "P" | "T";
}

/** Processing ids of debugging and training messages (HL7 table 0103). */
const TRIALS = ["D", "T"];

/** Reads a result message and builds its acknowledgement. Acknowledges a refusal instead of throwing it. */
export function receiveOru(text: string, ground: AnswerGround): Received {
  let read: Message | undefined;
  try {
    read = parseMessage(text);
    const type = [1, 2].map((component) => headerAt(read, 9, component)).join("^");
    if (type !== "ORU^R01") return answered(read, ground, "AR", "Only messages of type ORU^R01 are accepted.");
    if (ground.processing === "P" && TRIALS.includes(headerAt(read, 11))) {
      return answered(read, ground, "AR", "Production does not accept training messages.");
    }
    if (headerAt(read, 10) === "") throw new ReportRefused("The message has no control id.");
    const report = readOru(read, ground.lab);
    return { ...answered(read, ground, "AA"), report };
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    return answered(read, ground, read ? "AE" : "AR", error.message);
  }
}

const headerAt = (read: Message | undefined, field: number, component = 1): string =>
  read ? valueAt(read, segmentOf(read, "MSH"), field, { component }) : "";

function answered(read: Message | undefined, ground: AnswerGround, code: Acknowledgement, why = ""): Received {
  const control = headerAt(read, 10);
  return {
    report: undefined,
    control,
    code,
    acknowledgement: acknowledge(control, ground, code, why),
    refuse: (reason) => acknowledge(control, ground, "AE", reason),
  };
}

function acknowledge(about: string, ground: AnswerGround, code: Acknowledgement, why: string): string {
  const { lab: receiver, control, at, processing } = ground;
  const head = header({ sender: "TRIBUTARY", receiver, type: ["ACK", "R01", "ACK"], control, at, processing });
  const failure = why === "" ? [] : [segment("ERR", ["", "", "207", "E", "", "", "", why])];
  return message([head, segment("MSA", [code, about]), ...failure]);
}
