import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { type Message, parseMessage, segmentOf, valueAt } from "./message.ts";
import { readOru } from "./read-oru.ts";
import { header, message, segment } from "./write.ts";

/** What HL7 table 0008 answers: taken, wrong in its contents, or not a message that is taken at all. */
export type Acknowledgement = "AA" | "AE" | "AR";

/** What was read of a message, and the answer to it. */
export interface Received {
  readonly report: LabReport | undefined;
  readonly code: Acknowledgement;
  readonly acknowledgement: string;
}

/** Whose message is answered, by what number and when. */
export interface AnswerGround {
  readonly lab: string;
  readonly control: string;
  readonly at: string;
  readonly processing: "P" | "T";
}

/** Reads a message of results and writes the answer to it; a message that is refused is answered, never thrown. */
export function receiveOru(text: string, ground: AnswerGround): Received {
  let read: Message | undefined;
  try {
    read = parseMessage(text);
    const type = typeOf(read);
    if (type !== "ORU^R01") return answered(read, ground, "AR", "Only messages of type ORU^R01 are taken.");
    const report = readOru(read, ground.lab);
    return { ...answered(read, ground, "AA"), report };
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    return answered(read, ground, read ? "AE" : "AR", error.message);
  }
}

function typeOf(read: Message): string {
  const msh = segmentOf(read, "MSH");
  return [1, 2].map((component) => valueAt(read, msh, 9, { component })).join("^");
}

function answered(read: Message | undefined, ground: AnswerGround, code: Acknowledgement, why = ""): Received {
  const about = read ? valueAt(read, segmentOf(read, "MSH"), 10) : "";
  const { lab: receiver, control, at, processing } = ground;
  const head = header({ sender: "TRIBUTARY", receiver, type: ["ACK", "R01", "ACK"], control, at, processing });
  const failure = why === "" ? [] : [segment("ERR", ["", "", "207", "E", "", "", "", why])];
  const acknowledgement = message([head, segment("MSA", [code, about]), ...failure]);
  return { report: undefined, code, acknowledgement };
}
