import * as z from "zod";
import type { AccessEntry } from "../../domain/audit/access-entry.ts";
import { userDigest } from "../../domain/erasure/erasure-certificate.ts";
import { DAY_MS } from "../../domain/shared/durations.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import type { PageCursor } from "../../runtime/http/page-cursor.ts";
import { ports } from "../../runtime/ports.ts";
import type { AccessLogStore } from "../../store/audit/access-log.ts";
import { positionText } from "../../store/cursor.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Entries per page. */
const PAGE_SIZE = 100;
/** Maximum number of days in one query. */
export const MAX_ACCESS_LOG_DAYS = 31;
/** Maximum number of daily reads per page. A page that reaches it may be short and has a cursor. */
const MAX_READS = 40;

/**
 * A cursor has the start of the range and the position before which the next page ends: an instant, or entry time and
 * id.
 */
const instant = z.iso.datetime();
const entryPosition = positionText.refine((text) => instant.safeParse(text.split("#", 1)[0]).success);

/** A query of a team's access log. Instants are ISO 8601. */
export interface AccessLogQuery {
  readonly scope: TeamScope;
  readonly start_at?: string | undefined;
  readonly end_at?: string | undefined;
  readonly user_id?: string | undefined;
  readonly next_cursor?: string | undefined;
  readonly pages: PageCursor;
}

/**
 * Reads a page of a team's access log, newest first.
 * @throws ValidationFailed for a range that is too long or ends before it starts, or a cursor of another query.
 */
export async function readAccessLogPage(question: AccessLogQuery, accessLog: Pick<AccessLogStore, "listDay">) {
  const { scope, user_id, next_cursor, pages } = question;
  const end = question.end_at ?? new Date(ports().clock.now() + 1).toISOString();
  const start = question.start_at ?? new Date(Date.parse(end) - MAX_ACCESS_LOG_DAYS * DAY_MS).toISOString();
  checkRange(start, end, question.end_at === undefined);
  const cursor = pages.read(next_cursor, z.tuple([instant, entryPosition]));
  const [from, first] = cursor ?? [start, end];
  const subject = user_id && userDigest(scope.teamId, user_id);
  const entries: AccessEntry[] = [];
  let before: string | undefined = first;
  for (let reads = 0; before && entries.length < PAGE_SIZE && reads < MAX_READS; reads++) {
    const date = dayBefore(before);
    const day = await accessLog.listDay(scope, { date, from, before, subject }, PAGE_SIZE - entries.length);
    entries.push(...day.entries);
    before = day.nextBefore ?? (date > from.slice(0, 10) ? `${date}T00:00:00.000Z` : undefined);
  }
  return { entries, next_cursor: before ? pages.write([from, before]) : null };
}

/** @throws ValidationFailed at a field that the request has. @param endsNow whether the request has no `end_at`. */
function checkRange(start: string, end: string, endsNow: boolean): void {
  if (start > end && endsNow) throw ValidationFailed.at(["query", "start_at"], "Later than now");
  if (start > end) throw ValidationFailed.at(["query", "end_at"], "Before start_at");
  const spanMs = Date.parse(end) - Date.parse(start);
  if (spanMs > MAX_ACCESS_LOG_DAYS * DAY_MS)
    throw ValidationFailed.at(["query", "start_at"], `More than ${MAX_ACCESS_LOG_DAYS} days`);
}

/** Returns the day just before a position. @param position an instant, or entry time and id. */
const dayBefore = (position: string) =>
  position.includes("#") ? position.slice(0, 10) : new Date(Date.parse(position) - 1).toISOString().slice(0, 10);
