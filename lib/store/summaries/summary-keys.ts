import { summaries } from "../../contract/resources.ts";
import { DAY_MS } from "../../domain/shared/durations.ts";
import { nameUuid } from "../../domain/shared/name-uuid.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import type { SummaryName } from "../../domain/summaries/summary-names.ts";
import type { Key } from "../item.ts";
import { type Recorder, recorderKey } from "../recorder-key.ts";
import type { TeamScope } from "../team-scope.ts";

/** Natural key of a summary: its user, kind, key, source and recorder. */
export interface NaturalKey {
  readonly userId: string;
  readonly kind: SummaryName;
  readonly key: string;
  readonly provider: string;
  readonly sourceType: string;
  /** Absent for a summary that its key identifies alone, and for one without device and app. */
  readonly recorder?: Recorder | undefined;
}

/** A range of dates, YYYY-MM-DD, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Selects current summaries, or versions of them, whose keys start with `v#`. No kind has this name. */
type Prefix = "" | typeof VERSION_PREFIX;
export const VERSION_PREFIX = "v#";

/** Returns the partition of a user's summaries. */
export const summaryPartition = (scope: TeamScope, userId: string) => `${summaries.keyPrefix}${scope.teamId}#${userId}`;

/** Returns the partition of the index by day, one for each kind. */
const daysPartition = (scope: TeamScope, userId: string, kind: SummaryKind, prefix: Prefix) =>
  `${summaryPartition(scope, userId)}#${prefix}${kind.name}`;

/** Returns the partition of the index by id. */
const idPartition = (scope: TeamScope, id: string) => `${summaries.keyPrefix}${scope.teamId}#${id}`;

/** Returns the sort key of a summary, unique within its user. */
export function summarySortKey(scope: TeamScope, { userId, kind, key, provider, sourceType, recorder }: NaturalKey) {
  const recordedBy = recorder ? recorderKey(scope, userId, recorder) : "";
  return [kind, key, provider, sourceType, ...(recordedBy === "" ? [] : [recordedBy])].join("#");
}

/** Returns the key of a summary's item. */
export const summaryItemKey = (scope: TeamScope, of: NaturalKey): Key => ({
  pk: summaryPartition(scope, of.userId),
  sk: summarySortKey(scope, of),
});

/** Computes the id of a summary from its natural key, so it never changes. */
export const summaryId = (scope: TeamScope, of: NaturalKey): string =>
  nameUuid([scope.teamId, of.userId, summarySortKey(scope, of)].join("#"));

interface Indexed {
  readonly id: string;
  readonly user_id: string;
  readonly day: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns the index attributes of a summary: the id, and the day for kinds whose key starts with no date. */
export const indexAttributes = (scope: TeamScope, kind: SummaryKind, of: Indexed) => ({
  summary_id: idPartition(scope, of.id),
  ...dayAttributes(scope, kind, of),
});

/** Returns the attributes for the index by day of summaries, or versions, whose key starts with no date. */
export function dayAttributes(scope: TeamScope, kind: SummaryKind, of: Indexed, prefix: Prefix = "") {
  if (!kind.days || kind.days.keyDaysOff !== undefined) return {};
  const summary_time = `${of.day}#${of.fields[kind.days.begin]}`;
  return { summary_days: daysPartition(scope, of.user_id, kind, prefix), summary_time };
}

/** Returns the query for all summaries of one kind. */
export const kindQuery = (scope: TeamScope, userId: string, kind: SummaryKind, prefix: Prefix = "") => ({
  KeyConditionExpression: "pk = :pk AND begins_with(sk, :kind)",
  ExpressionAttributeValues: { ":pk": summaryPartition(scope, userId), ":kind": `${prefix}${kind.name}#` },
});

/**
 * Returns the query for summaries of some days. It reads no items of much earlier or later days.
 * @param first the first position to read, from {@link summaryPlace}.
 */
export function dayRangeQuery(
  scope: TeamScope,
  userId: string,
  kind: SummaryKind,
  days: DayRange,
  prefix: Prefix = "",
  first?: string,
) {
  const daysOff = kind.days?.keyDaysOff;
  if (daysOff === undefined) return inIndex(daysPartition(scope, userId, kind, prefix), days, first);
  return inTable(summaryPartition(scope, userId), `${prefix}${kind.name}`, days, daysOff, first);
}

/** Returns the position of a summary among those of its kind that {@link dayRangeQuery} selects. Several can share it. */
export function summaryPlace({ days }: SummaryKind, { day, fields }: Pick<Indexed, "day" | "fields">): string {
  if (!days) return "";
  const begin = String(fields[days.begin]);
  if (days.keyDaysOff === undefined) return `${day}#${begin}`;
  // Keys of daily summaries have no time.
  return days.begin === "date" ? begin.slice(0, day.length) : begin;
}

function inTable(pk: string, name: string, { from, to }: DayRange, daysOff: number, first?: string) {
  return {
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :after",
    FilterExpression: "#day BETWEEN :from AND :to",
    ExpressionAttributeNames: { "#day": "day" },
    ExpressionAttributeValues: {
      ":pk": pk,
      ":first": `${name}#${first ?? addDays(from, -daysOff)}`,
      ":after": `${name}#${addDays(to, daysOff + 1)}`,
      ":from": from,
      ":to": to,
    },
  };
}

function inIndex(days: string, { from, to }: DayRange, first = from) {
  return {
    IndexName: "by_day",
    KeyConditionExpression: "summary_days = :days AND summary_time BETWEEN :from AND :after",
    ExpressionAttributeValues: {
      ":days": days,
      ":from": first,
      ":after": addDays(to, 1),
    },
  };
}

/** Returns the query for the summary of one kind with an id. */
export function idQuery(scope: TeamScope, kind: SummaryKind, id: string) {
  return {
    IndexName: "by_id",
    KeyConditionExpression: "summary_id = :id AND begins_with(sk, :kind)",
    ExpressionAttributeValues: { ":id": idPartition(scope, id), ":kind": `${kind.name}#` },
  };
}

/** Returns the date a number of days later. */
function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
