import { ReportRefused } from "../../domain/results/lab-report.ts";
import { findSegmentIn, type Message, type Segment, valueAt } from "./message.ts";

/** A segment with its line number in the message, for errors. */
interface Line {
  readonly segment: Segment;
  readonly number: number;
}

/** An observation request (OBR) with the segments that follow it. */
export interface RequestGroup {
  readonly request: Segment;
  /** The order (ORC) before the request. */
  readonly order: Segment | undefined;
  /** The specimen (SPM) after the request. */
  readonly specimen: Segment | undefined;
  readonly lines: readonly Line[];
}

/** The requests of one order of one patient. */
export interface OrderGroup {
  readonly patient: Segment;
  readonly requisition: string | null;
  readonly requests: readonly RequestGroup[];
}

/**
 * Groups the segments of an ORU message by patient and order (HL7 v2.5.1, 7.3.1). A request without a number belongs to
 * the order before it, as reflex tests do.
 * @throws ReportRefused without a patient, or for an observation without a request.
 */
export function groupByOrder(message: Message): OrderGroup[] {
  return splitBefore(numberLines(message), "PID").flatMap((lines) => {
    const [first] = lines;
    if (first?.segment.name !== "PID") return [];
    return groupRequests(message, first.segment, readRequests(lines.slice(1)));
  });
}

const numberLines = ({ segments }: Message): Line[] =>
  segments.map((segment, index) => ({ segment, number: index + 1 }));

/** Splits lines before each segment of a name. The first part has what is before the first one. */
function splitBefore(lines: readonly Line[], name: string): Line[][] {
  const parts: Line[][] = [[]];
  for (const line of lines) {
    if (line.segment.name === name) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts;
}

function readRequests(lines: readonly Line[]): RequestGroup[] {
  const [before = [], ...parts] = splitBefore(lines, "OBR");
  const stray = before.find(({ segment }) => segment.name === "OBX");
  if (stray) throw new ReportRefused(`Line ${stray.number} has no OBR segment before it.`);
  let order = findSegmentIn(before, "ORC");
  return parts.map(([request, ...own]) => {
    const group = {
      request: request?.segment ?? { name: "OBR", fields: [] },
      order,
      specimen: findSegmentIn(own, "SPM"),
      lines: own,
    };
    // An ORC segment stands before the request that it is about, so it ends the group of the request before.
    order = findSegmentIn(own, "ORC") ?? order;
    return group;
  });
}

function groupRequests(message: Message, patient: Segment, requests: readonly RequestGroup[]): OrderGroup[] {
  const numbers = fillMissing(requests.map((request) => requisitionOf(message, request)));
  const byNumber = Map.groupBy(requests.keys(), (index) => numbers[index] ?? null);
  return [...byNumber].map(([requisition, places]) => ({
    patient,
    requisition,
    requests: places.flatMap((place) => requests[place] ?? []),
  }));
}

/** The number of the order: of the request, else of the order segment before it. */
const requisitionOf = (message: Message, { request, order }: RequestGroup): string | null =>
  valueAt(message, request, 2) || valueAt(message, order, 2) || null;

/** Replaces each missing value by the one before it, and the first ones by the first known one. */
function fillMissing(values: readonly (string | null)[]): (string | null)[] {
  let last = values.find((value) => value !== null) ?? null;
  return values.map((value) => {
    last = value ?? last;
    return last;
  });
}
