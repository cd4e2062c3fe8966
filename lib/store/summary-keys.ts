import { createHash } from "node:crypto";
import { summaries } from "../contract/resources.ts";
import type { SummaryKind } from "../domain/summaries/summary-kind.ts";
import type { SummaryName } from "../domain/summaries/summary-names.ts";
import type { TeamScope } from "./team-scope.ts";

/** Whose a summary is, and what it is the summary of: its natural key. */
export interface NaturalKey {
  readonly userId: string;
  readonly kind: SummaryName;
  readonly key: string;
  readonly provider: string;
  readonly sourceType: string;
}

/** A range of dates, YYYY-MM-DD, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

/** What is asked for: summaries as they stand, or versions of them, whose keys begin with `v#`, which is no kind. */
type Prefix = "" | typeof VERSIONS;
export const VERSIONS = "v#";

/** Partition of all summaries of a user. */
export const partition = (scope: TeamScope, userId: string) => `${summaries.keyPrefix}${scope.teamId}#${userId}`;

/** Partition of the index by day, which tells kinds apart. */
const daysPartition = (scope: TeamScope, userId: string, kind: SummaryKind, prefix: Prefix) =>
  `${partition(scope, userId)}#${prefix}${kind.name}`;

/** Partition of the index by id. */
const idPartition = (scope: TeamScope, id: string) => `${summaries.keyPrefix}${scope.teamId}#${id}`;

/** What tells the summaries of a user apart. */
export const sortKey = ({ kind, key, provider, sourceType }: NaturalKey) => [kind, key, provider, sourceType].join("#");

/** The id follows from the natural key, so it is the same for ever: a version 8 UUID (RFC 9562) over SHA-256. */
export function summaryId(scope: TeamScope, of: NaturalKey): string {
  const about = [scope.teamId, of.userId, sortKey(of)].join("#");
  const hex = createHash("sha256").update(about).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

interface Indexed {
  readonly id: string;
  readonly user_id: string;
  readonly day: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The attributes by which the indexes find a summary: all by id, by day those of which the key begins with no date. */
export const indexAttributes = (scope: TeamScope, kind: SummaryKind, of: Indexed) => ({
  summary_id: idPartition(scope, of.id),
  ...dayAttributes(scope, kind, of),
});

/** The attributes by which the index by day finds summaries, or versions, of which the key begins with no date. */
export function dayAttributes(scope: TeamScope, kind: SummaryKind, of: Indexed, prefix: Prefix = "") {
  if (!kind.days || kind.days.keyDaysOff !== undefined) return {};
  const summary_time = `${of.day}#${of.fields[kind.days.begin]}`;
  return { summary_days: daysPartition(scope, of.user_id, kind, prefix), summary_time };
}

/** The query for everything of one kind. */
export const kindQuery = (scope: TeamScope, userId: string, kind: SummaryKind, prefix: Prefix = "") => ({
  KeyConditionExpression: "pk = :pk AND begins_with(sk, :kind)",
  ExpressionAttributeValues: { ":pk": partition(scope, userId), ":kind": `${prefix}${kind.name}#` },
});

/** The query for summaries of some days, which reads nothing of much earlier or later ones. */
export function daysQuery(scope: TeamScope, userId: string, kind: SummaryKind, days: Days, prefix: Prefix = "") {
  const daysOff = kind.days?.keyDaysOff;
  if (daysOff === undefined) return inIndex(daysPartition(scope, userId, kind, prefix), days);
  return inTable(partition(scope, userId), `${prefix}${kind.name}`, days, daysOff);
}

function inTable(pk: string, name: string, { from, to }: Days, daysOff: number) {
  return {
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :after",
    FilterExpression: "#day BETWEEN :from AND :to",
    ExpressionAttributeNames: { "#day": "day" },
    ExpressionAttributeValues: {
      ":pk": pk,
      ":first": `${name}#${later(from, -daysOff)}`,
      ":after": `${name}#${later(to, daysOff + 1)}`,
      ":from": from,
      ":to": to,
    },
  };
}

function inIndex(days: string, { from, to }: Days) {
  return {
    IndexName: "by_day",
    KeyConditionExpression: "summary_days = :days AND summary_time BETWEEN :from AND :after",
    ExpressionAttributeValues: {
      ":days": days,
      ":from": from,
      ":after": later(to, 1),
    },
  };
}

/** The query for the summary of one kind with an id. */
export function idQuery(scope: TeamScope, kind: SummaryKind, id: string) {
  return {
    IndexName: "by_id",
    KeyConditionExpression: "summary_id = :id AND begins_with(sk, :kind)",
    ExpressionAttributeValues: { ":id": idPartition(scope, id), ":kind": `${kind.name}#` },
  };
}

/** The date so many days later. */
function later(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
