import { useEffect, useRef, useState } from "preact/hooks";
import type { Range } from "../../api/series.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { navigate } from "../../app/route.ts";

const MIN_WIDTH_MS = 60_000;
const MAX_WIDTH_MS = 20 * 365 * 86_400_000;
/** The address follows a range once it has rested so long. */
const REST_MS = 500;

/** A range that gestures may set many times a second, and that the address names once it rests. */
export function useRange(first: Range, placeOf: (range: Range) => string): [Range, (range: Range) => void] {
  const [range, setRange] = useState(first);
  const isTouched = useRef(false);
  useEffect(() => {
    if (!isTouched.current) return;
    const timer = setTimeout(() => navigate(placeOf(range), "replace"), REST_MS);
    return () => clearTimeout(timer);
  }, [range.from, range.to]);
  const set = ({ from, to }: Range) => {
    const width = Math.min(Math.max(to - from, MIN_WIDTH_MS), MAX_WIDTH_MS);
    isTouched.current = true;
    const middle = (from + to) / 2;
    setRange({ from: Math.round(middle - width / 2), to: Math.round(middle + width / 2) });
  };
  return [range, set];
}

/** Reads a range of the address, or takes the week before an instant. */
export function readRange(query: URLSearchParams, newestMs: number): Range {
  const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
  if (from < to) return { from, to };
  const end = Math.min(newestMs + 3_600_000, serviceNow());
  return { from: end - 7 * 86_400_000, to: end };
}

const TABLE_REST_MS = 200;

/** Follows a range once it rests, for what is too slow to follow a gesture. */
export function useRested(range: Range): Range {
  const [rested, setRested] = useState(range);
  useEffect(() => {
    const timer = setTimeout(() => setRested(range), TABLE_REST_MS);
    return () => clearTimeout(timer);
  }, [range.from, range.to]);
  return rested;
}
