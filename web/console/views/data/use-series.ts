import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Problem } from "../../api/request.ts";
import { getSeries, type Range } from "../../api/series.ts";
import { toProblem } from "../../api/use-load.ts";
import { POINTS_PER_TILE, TileStore, type View } from "../../plot/tile-store.ts";

/** A range must rest so long before it is loaded. */
const REST_MS = 120;

/** Follows a range: draws what is in memory at once, and loads the rest when the range rests. */
export function useSeries(userId: string, resource: string, range: Range): View & { problem: Problem | undefined } {
  const [round, setRound] = useState(0);
  const [problem, setProblem] = useState<Problem>();
  const store = useRef<TileStore | undefined>(undefined);
  store.current ??= new TileStore(
    (tile, signal) => getSeries(userId, resource, tile, POINTS_PER_TILE, signal),
    (error) => {
      setProblem(error === undefined ? undefined : toProblem(error));
      setRound((before) => before + 1);
    },
  );
  useEffect(() => () => store.current?.close(), []);
  const isFirst = round === 0;
  useEffect(() => {
    const timer = setTimeout(() => store.current?.show(range), isFirst ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [range.from, range.to]);
  const view = useMemo(
    () => store.current?.read(range) ?? { layers: [], unit: undefined, isComplete: false },
    [TileStore.keyOf(range), round],
  );
  return { ...view, problem };
}
