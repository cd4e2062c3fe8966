/** Types of columns, by their names in Iceberg ("Schemas and Data Types"). */
export type LakeType = "string" | "double" | "int" | "boolean" | "date" | "timestamptz";

/** A column of a table of the lake. */
export interface LakeColumn {
  /** Identifies the column in all files. Never changes, and no later column takes it. */
  readonly id: number;
  readonly name: string;
  readonly type: LakeType;
  /** Whether every row has a value. A column that a later version adds is never required. */
  readonly isRequired: boolean;
  /** Description for readers of the table. */
  readonly meaning: string;
}

/** A cell: instants are epoch milliseconds, dates are days since 1970. */
export type LakeCell = string | number | boolean | null;
/** A row by the names of its columns. A missing cell is null. */
export type LakeRow = Readonly<Record<string, LakeCell>>;

/** Name of the column that partitions every table. */
export const DAY = "day";
const DAY_MS = 24 * 60 * 60 * 1000;
/** Returns the UTC day of an instant, in days since 1970. @param ms epoch milliseconds. */
export const dayOfInstant = (ms: number): number => Math.floor(ms / DAY_MS);
/** Returns the day of a date YYYY-MM-DD, in days since 1970. */
export const dayOfDate = (date: string): number => dayOfInstant(Date.parse(`${date}T00:00:00Z`));
/** Returns the date YYYY-MM-DD of a day since 1970. */
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
