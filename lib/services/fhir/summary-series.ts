import * as z from "zod";
import { toCategory, toConcept } from "../../domain/fhir/measure.ts";
import type { Observation } from "../../domain/fhir/resources.ts";
import { startsWithin } from "../../domain/fhir/search-date.ts";
import { findSummaryRow, rowsOfSummary, toSummaryObservation } from "../../domain/fhir/summary-observation.ts";
import type { SummaryRow } from "../../domain/fhir/summary-rows.ts";
import { DAY_MS } from "../../domain/shared/durations.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { findSummaryKind, summaryKinds } from "../../domain/summaries/summary-kinds.ts";
import type { SummaryStore } from "../../store/summaries/summaries.ts";
import { summaryPlace } from "../../store/summaries/summary-keys.ts";
import type { SummaryRecord } from "../../store/summaries/summary-record.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type FoundResource, invalidPosition, type PagePosition, type Series } from "./fhir-page.ts";
import { matchesCodes, matchesDates, type ObservationFilter } from "./observation-filter.ts";

/** The longest summary that a search by date finds if it begins before the date, days. */
const LONGEST_DAYS = { menstrual_cycle: 366, other: 8 };
/** Days between the day of a summary and the UTC dates of its times, at most. */
const MAX_DAYS_OFF = 9;

/** Whose summaries are read, and which of them. */
export interface SummarySearch {
  readonly summaries: Pick<SummaryStore, "iterate">;
  readonly scope: TeamScope;
  readonly userId: string;
  readonly filter: ObservationFilter;
}

/** Place, id and row of the last returned Observation. */
const summaryPosition = z.tuple([z.string().regex(/^[\w:+.#-]{0,80}$/), z.string(), z.string()]);
type SummaryPosition = z.output<typeof summaryPosition>;

/** The series of summaries that can match a filter, one per kind. */
export function summarySeries(search: SummarySearch): Series[] {
  return summaryKinds.flatMap((kind) => {
    const rows = rowsOfSummary(kind.name).filter((row) =>
      matchesCodes(search.filter, { code: toConcept(row), category: [toCategory(row.category)] }),
    );
    const name = `summary ${kind.name}`;
    return rows.length === 0 ? [] : [{ name, read: (after) => readSummaries(search, kind, rows, after) }];
  });
}

async function* readSummaries(
  search: SummarySearch,
  kind: SummaryKind,
  rows: readonly SummaryRow[],
  position: PagePosition | undefined,
): AsyncGenerator<FoundResource> {
  const after = position && summaryPosition.safeParse(position).data;
  if (position && !after) throw invalidPosition();
  for await (const record of recordsFrom(search, kind, after)) {
    const place = summaryPlace(kind, record);
    const isResumed = record.id === after?.[1] && place === after[0];
    const first = isResumed ? rows.findIndex(({ code }) => code === after[2]) + 1 : 0;
    for (const row of rows.slice(first)) {
      const observation = toObservation(row, record);
      if (!observation || !matchesDates(search.filter, observation)) continue;
      yield { resource: observation, position: [place, record.id, row.code] };
    }
  }
}

/** Yields the records from the last returned one on. If it is gone, all records at its place come again. */
async function* recordsFrom(search: SummarySearch, kind: SummaryKind, after: SummaryPosition | undefined) {
  let sharing: SummaryRecord[] = [];
  for await (const record of storedRecords(search, kind, after?.[0])) {
    if (summaryPlace(kind, record) === after?.[0]) {
      sharing.push(record);
      continue;
    }
    yield* fromRecord(sharing, after?.[1]);
    sharing = [];
    yield record;
  }
  yield* fromRecord(sharing, after?.[1]);
}

const fromRecord = (records: readonly SummaryRecord[], id: string | undefined) =>
  records.slice(
    Math.max(
      0,
      records.findIndex((record) => record.id === id),
    ),
  );

function storedRecords(
  { summaries, scope, userId, filter }: SummarySearch,
  kind: SummaryKind,
  place: string | undefined,
): AsyncIterable<SummaryRecord> | readonly SummaryRecord[] {
  if (!kind.days) return summaries.iterate(scope, userId, kind);
  const longest = kind.name === "menstrual_cycle" ? LONGEST_DAYS.menstrual_cycle : LONGEST_DAYS.other;
  const { fromMs, toMs } = startsWithin(filter.dates, longest * DAY_MS);
  if (toMs < fromMs) return [];
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const days = { from: day(fromMs - MAX_DAYS_OFF * DAY_MS), to: day(toMs + MAX_DAYS_OFF * DAY_MS) };
  return summaries.iterate(scope, userId, kind, days, place);
}

function toObservation(row: SummaryRow, record: SummaryRecord): Observation | undefined {
  const { provider, source_type: type, device_id, app_id = null } = record;
  return toSummaryObservation(row, { ...record, source: { provider, type, device_id, app_id } });
}

/** Finds the Observation of a summary, and its user; undefined for an unknown id. @param code the last part of the id. */
export async function findSummaryObservation(
  summaries: Pick<SummaryStore, "findById">,
  scope: TeamScope,
  { summaryId, code }: { summaryId: string; code: string },
): Promise<{ userId: string; observation: Observation } | undefined> {
  const row = findSummaryRow(code);
  const kind = row && findSummaryKind(row.kind);
  const record = kind && (await summaries.findById(scope, kind, summaryId));
  const observation = row && record && toObservation(row, record);
  return record && observation ? { userId: record.user_id, observation } : undefined;
}
