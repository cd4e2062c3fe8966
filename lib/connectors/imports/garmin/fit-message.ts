/** A message of a FIT file, with its fields by their names in the FIT profile and in its units. */
export type FitMessage = Readonly<Record<string, unknown>>;

/** Unix seconds of a field with a time; NaN for any other value. */
export const secondsOf = (time: unknown): number =>
  time instanceof Date ? Math.floor(time.getTime() / 1000) : Number.NaN;
