import type * as z from "zod";

/** The metrics of a day. */
export interface DayMetrics {
  readonly date: string;
  /** IANA time zone of the user, if the response states it. */
  readonly timeZone: string | null | undefined;
  /** Reads a metric; undefined if the metric is absent or nothing valid remains. */
  readonly read: <S extends z.ZodType>(type: string, schema: S) => z.output<S> | undefined;
}
