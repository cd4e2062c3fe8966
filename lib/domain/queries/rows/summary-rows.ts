import { DAY_MS } from "../../shared/durations.ts";
import { parseInstant } from "../../shared/instant.ts";
import type { ToFloatingTime } from "../../shared/local-day.ts";
import { START_OFFSET } from "../../summaries/start-offset.ts";
import { parseFloating } from "../floating-time.ts";
import { type ColumnType, indexColumns, type TableName, tableColumns } from "../tables/columns.ts";
import { columnReader, fieldReader } from "../tables/summary-columns.ts";
import { type CellReader, type Coverage, type RowSet, SourceIndex } from "./row-set.ts";
import type { CellValue, SummaryRow } from "./rows.ts";
import { awakenings, chronotype, lastAsleepOffsetS, sleepScore, sleepSegments } from "./sleep-macros.ts";

/** The fields with the covered time of a table's rows. Without `end`, a date covers its day and an instant itself. */
interface TimeFields {
  readonly coverage: Coverage;
  readonly begin: string;
  readonly end?: string;
}

const dayFields = (begin = "calendar_date"): TimeFields => ({ coverage: "sample", begin });
const timeFieldsByTable: Readonly<Record<TableName, TimeFields>> = {
  sleep: { coverage: "session", begin: "bedtime_start", end: "bedtime_stop" },
  workout: { coverage: "session", begin: "time_start", end: "time_end" },
  menstrual_cycle: { coverage: "session", begin: "period_start", end: "period_end" },
  activity: dayFields(),
  body: dayFields(),
  meal: dayFields("timestamp"),
  profile: dayFields("updated_at"),
  derived_readiness: dayFields("date"),
};

const isDate = (text: string) => text.length === 10;
const epochMs = (value: unknown): number => {
  if (typeof value !== "string") return Number.NaN;
  return isDate(value) ? parseFloating(value) : (parseInstant(value)?.ms ?? Number.NaN);
};

/** Start and end of the time that a summary covers; a date lasts until the next one. */
function summarySpan(shape: TimeFields, row: SummaryRow): [number, number] {
  const begin = fieldReader(shape.begin)(row);
  const end = shape.end === undefined ? begin : (fieldReader(shape.end)(row) ?? begin);
  return [epochMs(begin), epochMs(end) + (typeof end === "string" && isDate(end) ? DAY_MS : 0)];
}

/**
 * Builds the row set of one table's summaries.
 * @param cycles sleep cycles, which hold the sleep stages.
 */
export function summaryRows(
  table: TableName,
  summaries: readonly SummaryRow[],
  floatingOf: ToFloatingTime,
  cycles: readonly SummaryRow[] = [],
): RowSet {
  const shape = timeFieldsByTable[table];
  const spans = summaries.map((row) => summarySpan(shape, row));
  const list = new SourceIndex();
  const sourceOf = Uint32Array.from(summaries, ({ source }) => list.indexOf(source));
  const index = columnReader(table, indexColumns[table]);
  const reads = new SummaryCellReaders(table, summaries, floatingOf, cycles);
  return {
    count: summaries.length,
    // Meals are indexed by date but ordered by instant.
    instants: Float64Array.from(summaries, (row, n) => (table === "meal" ? (spans[n]?.[0] ?? 0) : epochMs(index(row)))),
    floating: Float64Array.from(summaries, (row) => reads.floating(row, index(row))),
    begins: Float64Array.from(spans, ([begin]) => begin),
    ends: Float64Array.from(spans, ([, end]) => end),
    sourceOf,
    sources: list.sources,
    coverage: shape.coverage,
    kind: undefined,
    cell: (column) => reads.cell(column),
    epoch: (column) => (row) => epochMs(columnReader(table, column)(summaries[row] as SummaryRow)),
  };
}

class SummaryCellReaders {
  readonly #table: TableName;
  readonly #summaries: readonly SummaryRow[];
  readonly #floatingOf: ToFloatingTime;
  readonly #cycles: ReadonlyMap<unknown, SummaryRow>;

  constructor(
    table: TableName,
    summaries: readonly SummaryRow[],
    floatingOf: ToFloatingTime,
    cycles: readonly SummaryRow[],
  ) {
    this.#table = table;
    this.#summaries = summaries;
    this.#floatingOf = floatingOf;
    this.#cycles = new Map(cycles.map((cycle) => [cycle.sleep_id, cycle]));
  }

  cell(column: string): CellReader {
    const make = this.#maker(column);
    return (row) => make(this.#summaries[row] as SummaryRow);
  }

  #maker(column: string): (row: SummaryRow) => CellValue {
    const macro = this.#table === "sleep" ? this.#macros[column] : undefined;
    if (macro) return macro;
    const read = columnReader(this.#table, column);
    const type = (tableColumns[this.#table] as Readonly<Record<string, ColumnType>>)[column];
    if (type === "instant" && this.#table === "sleep" && column === "session_start")
      return (row) => this.#atStart(row, 0);
    if (type === "instant") return (row) => numberOrNull(this.floating(row, read(row)));
    return (row) => (read(row) ?? null) as CellValue;
  }

  /** Converts an instant of a summary to floating time. Dates already are; profiles have no place, so they use UTC. */
  floating(row: SummaryRow, value: unknown): number {
    const ms = epochMs(value);
    if (Number.isNaN(ms) || (typeof value === "string" && isDate(value))) return ms;
    const offset = this.#table === "profile" ? 0 : row.timezone_offset;
    return this.#floatingOf(ms, typeof offset === "number" ? offset : Number.NaN);
  }

  readonly #macros: Readonly<Record<string, (row: SummaryRow) => CellValue>> = {
    sleep_score: sleepScore,
    chronotype: (row) => chronotype(this.#after(row, (epochMs(row.bedtime_stop) - epochMs(row.bedtime_start)) / 2_000)),
    asleep_at: (row) => this.#atStart(row, Number(row.latency ?? 0)),
    awake_at: (row) => this.#after(row, lastAsleepOffsetS(this.#segments(row))) ?? this.floating(row, row.bedtime_stop),
    awakenings: (row) => awakenings(this.#segments(row)),
  };

  #segments(row: SummaryRow) {
    return sleepSegments(this.#cycles.get(row.id));
  }

  /** Floating time `seconds` after the start of a sleep, on the clock of its end. */
  #after(row: SummaryRow, seconds: number | null, offset = row.timezone_offset): number | null {
    if (seconds === null) return null;
    const ms = epochMs(row.bedtime_start) + seconds * 1000;
    return numberOrNull(this.#floatingOf(ms, typeof offset === "number" ? offset : Number.NaN));
  }

  /** Floating time `seconds` after the start of a sleep, on the clock of its start: clocks may change, or the place. */
  #atStart(row: SummaryRow, seconds: number): number | null {
    return this.#after(row, seconds, row[START_OFFSET] ?? row.timezone_offset);
  }
}

const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);
