import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject, parseJson } from "../../domain/shared/json.ts";

/** An event as rules match it and targets receive it. Source: EventBridge Events Reference, "Event structure". */
export interface EventEnvelope {
  version: "0";
  id: string;
  "detail-type": string;
  source: string;
  account: string;
  /** UTC to the second, for example 2026-11-20T19:40:00Z. */
  time: string;
  region: string;
  resources: string[];
  detail: JsonObject;
}

/** One entry of a PutEvents request in the AWS JSON protocol. */
export interface PutEventsEntry {
  /** Epoch seconds. The current time by default. */
  Time?: number | undefined;
  Source?: string | undefined;
  DetailType?: string | undefined;
  /** A JSON object, serialized. */
  Detail?: string | undefined;
  Resources?: string[] | undefined;
  /** Name or ARN. The default bus by default. */
  EventBusName?: string | undefined;
}

/** Account and region of the events. */
export interface EventOrigin {
  accountId: string;
  region: string;
}

/** Error of one entry of a PutEvents call that is otherwise accepted. */
export interface EntryError {
  ErrorCode: string;
  ErrorMessage: string;
}

/** Builds the event of an entry, or the entry's error. Source: EventBridge API Reference, PutEventsResultEntry. */
export function buildEnvelope(entry: PutEventsEntry, origin: EventOrigin, nowMs: number): EventEnvelope | EntryError {
  const { Source: source, DetailType: detailType, Detail: detailText } = entry;
  if (!source) return missingParameter("Source");
  if (!detailType) return missingParameter("DetailType");
  if (!detailText) return missingParameter("Detail");
  if (source.startsWith("aws.")) {
    return { ErrorCode: "NotAuthorizedForSourceException", ErrorMessage: "Not authorized for the source." };
  }
  const detail = parseJson(detailText);
  if (!isJsonObject(detail)) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
  return {
    version: "0",
    id: randomUUID(),
    "detail-type": detailType,
    source,
    account: origin.accountId,
    time: isoSeconds(entry.Time === undefined ? nowMs : entry.Time * 1000),
    region: origin.region,
    resources: entry.Resources ?? [],
    detail,
  };
}

/** The event that a schedule sends to its targets. Account and region come from the rule's ARN. */
export function scheduledEvent(ruleArn: string, nowMs: number): EventEnvelope {
  const [, , , region = "", account = ""] = ruleArn.split(":");
  return {
    version: "0",
    id: randomUUID(),
    "detail-type": "Scheduled Event",
    source: "aws.events",
    account,
    time: isoSeconds(nowMs),
    region,
    resources: [ruleArn],
    detail: {},
  };
}

/** Size of an entry towards the limit of a PutEvents call. Source: "Calculating PutEvents event entry size". */
export function entrySizeBytes(entry: PutEventsEntry): number {
  const texts = [entry.Source, entry.DetailType, entry.Detail, ...(entry.Resources ?? [])];
  const timeBytes = entry.Time === undefined ? 0 : 14;
  return texts.reduce((total, text) => total + Buffer.byteLength(text ?? ""), timeBytes);
}

function missingParameter(parameter: string): EntryError {
  return {
    ErrorCode: "InvalidArgument",
    ErrorMessage: `Parameter ${parameter} is not valid. Reason: ${parameter} is a required argument.`,
  };
}

function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
