import { formatUtc } from "../../format-utc.ts";
import type { CsvRow } from "../reading/csv-rows.ts";
import { parseNumber } from "../reading/parse-number.ts";

/** A row by the short names of its columns: `com.samsung.health.heart_rate.start_time` is `start_time`. */
export type SamsungRow = CsvRow;

/** Shortens the names of columns. Of two columns with one short name, the one with the long name counts. */
export function shortenNames(names: readonly string[]): readonly string[] {
  const long = new Set(names.filter((name) => name.includes(".")).map(lastPart));
  return names.map((name) => (name.includes(".") ? lastPart(name) : long.has(name) ? "" : name));
}

const lastPart = (name: string): string => name.split(".").at(-1) ?? name;

/** A time of a row: UTC, with the local offset beside it. */
export interface SamsungTime {
  /** Epoch milliseconds. */
  readonly ms: number;
  /** UTC with `Z`. */
  readonly iso: string;
}

/** Parses `2024-05-01 06:00:00.000`, which is UTC, or epoch milliseconds; undefined for anything else. */
export function parseSamsungTime(text: string | undefined): SamsungTime | undefined {
  const time = text?.trim() ?? "";
  const isUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(time);
  const ms = isUtc ? Date.parse(`${time.replace(" ", "T")}Z`) : (parseNumber(time) ?? Number.NaN);
  return Number.isNaN(ms) || ms <= 0 ? undefined : { ms, iso: formatUtc(ms) };
}

/** Parses `UTC+0200`, `UTC-05:30` or `UTC+2`, seconds; null for anything else. */
export function parseSamsungOffset(text: string | undefined): number | null {
  const [, sign, hours, minutes = "0"] = /^UTC([+-])(\d{1,2}):?(\d\d)?$/.exec(text?.trim() ?? "") ?? [];
  return sign === undefined ? null : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
}

/** Parses a number; undefined for none, and for -1, which means not measured. */
export function readMeasured(row: SamsungRow, column: string): number | undefined {
  const value = parseNumber(row[column]);
  return value === -1 ? undefined : value;
}
