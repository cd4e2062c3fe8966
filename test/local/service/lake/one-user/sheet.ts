/** Rows of the sheet: title and unit. */
export const sheetRows = {
  steps: ["Steps", ""],
  resting: ["Resting heart rate", "bpm"],
  sleep: ["Sleep, total", "s"],
  heartrateCount: ["Heart rate, samples", ""],
  heartrateMin: ["Heart rate, minimum", "bpm"],
  heartrateMax: ["Heart rate, maximum", "bpm"],
  heartrateMean: ["Heart rate, mean", "bpm"],
  weight: ["Weight", "kg"],
  glucoseCount: ["Glucose, samples", ""],
  glucoseMean: ["Glucose, mean", "mmol/L"],
  labGlucose: ["Laboratory: glucose in serum", "mg/dL"],
  completed: ["Orders, completed", ""],
  open: ["Orders, open", ""],
} as const;

export type SheetRow = keyof typeof sheetRows;
/** Numbers by row and day. The day of what has none is `WHOLE`. */
export type Sheet = ReadonlyMap<SheetRow, ReadonlyMap<string, number>>;

/** Column of numbers that belong to no day. */
export const WHOLE = "all";

/** Collects the numbers of one way of reading. */
export class SheetBuilder {
  readonly #rows = new Map<SheetRow, Map<string, number>>();

  add(row: SheetRow, day: string, value: number): void {
    const days = this.#rows.get(row) ?? new Map<string, number>();
    if (days.has(day)) throw new Error(`two values of ${row} on ${day}`);
    this.#rows.set(row, days.set(day, round(value)));
  }

  /** Adds how many samples each UTC day has, and their mean. @returns the values by day. */
  addSamples(count: SheetRow, mean: SheetRow, samples: readonly { at: string; value: number }[]) {
    const byDay = Map.groupBy(samples, ({ at }) => new Date(at).toISOString().slice(0, 10));
    const values = new Map([...byDay].map(([day, list]) => [day, list.map(({ value }) => value)]));
    for (const [day, list] of values) {
      this.add(count, day, list.length);
      this.add(mean, day, list.reduce((sum, value) => sum + value, 0) / list.length);
    }
    return values;
  }

  /** Adds count, mean, minimum and maximum of heart rates by UTC day. */
  addHeartRates(samples: readonly { at: string; value: number }[]): void {
    for (const [day, values] of this.addSamples("heartrateCount", "heartrateMean", samples)) {
      this.add("heartrateMin", day, Math.min(...values));
      this.add("heartrateMax", day, Math.max(...values));
    }
  }

  build(): Sheet {
    return this.#rows;
  }
}

/** Means are compared to six decimals, because the order of a sum changes its last bits. */
const round = (value: number): number => Number(value.toFixed(6));
