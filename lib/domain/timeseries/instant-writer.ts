import { DAY_MS } from "../shared/durations.ts";

/**
 * Formats instants as {@link formatInstant} does, optimised for many instants of the same days. It caches the text of
 * the day and takes the time from a table. This costs a third of one Date per instant, which would dominate the cost of
 * a page of samples.
 */
export class InstantWriter {
  #dayStart = Number.NaN;
  #day = "";

  /** @param ms epoch milliseconds. @returns for example `2026-01-02T03:04:05+00:00`. */
  write(ms: number): string {
    const inDay = ms - this.#dayStart;
    if (!(inDay >= 0 && inDay < DAY_MS)) return this.#writeOfOtherDay(ms);
    const second = Math.floor(inDay / 1000);
    const millisecond = inDay - second * 1000;
    const minute = Math.floor(second / 60);
    const hour = Math.floor(minute / 60);
    const time = `${this.#day}${twoDigits[hour]}:${twoDigits[minute - hour * 60]}:${twoDigits[second - minute * 60]}`;
    return millisecond === 0 ? `${time}+00:00` : `${time}.${String(millisecond).padStart(3, "0")}+00:00`;
  }

  #writeOfOtherDay(ms: number): string {
    this.#dayStart = Math.floor(ms / DAY_MS) * DAY_MS;
    this.#day = new Date(this.#dayStart).toISOString().slice(0, "YYYY-MM-DDT".length);
    return this.write(ms);
  }
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
