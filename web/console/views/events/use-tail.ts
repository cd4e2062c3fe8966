import { useEffect, useRef, useState } from "preact/hooks";
import { type FeedEvent, listEvents, listNewestEvents } from "../../api/events.ts";
import type { Problem } from "../../api/request.ts";
import { toProblem } from "../../api/use-load.ts";

/** How often the tail asks for new events. */
const INTERVAL_MS = 2_000;
/** Events in memory. */
const MAX_EVENTS = 1_000;
const FIRST_EVENTS = 200;

/** The newest events of the team, and those that follow while the tail runs. */
export interface Tail {
  readonly events: readonly FeedEvent[] | undefined;
  readonly problem: Problem | undefined;
  readonly retry: () => void;
}

/** Reads the newest events, then asks for those that follow. It rests while the page is hidden. */
export function useTail(isLive: boolean): Tail {
  const [events, setEvents] = useState<readonly FeedEvent[]>();
  const [problem, setProblem] = useState<Problem>();
  const [round, setRound] = useState(0);
  const last = useRef(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const fail = (error: unknown) => signal.aborted || setProblem(toProblem(error));
    const add = (newer: readonly FeedEvent[]) => {
      if (signal.aborted) return;
      setProblem(undefined);
      last.current = newer[0]?.sequence ?? last.current;
      setEvents((before = []) => [...newer, ...before].slice(0, MAX_EVENTS));
    };
    const follow = async () => add((await listEvents(last.current, 100, signal)).events.toReversed());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = async () => {
      if (!document.hidden) await follow().catch(fail);
      if (!signal.aborted) timer = setTimeout(tick, INTERVAL_MS);
    };
    const start = async () => {
      if (last.current === 0) add(await listNewestEvents(FIRST_EVENTS, signal));
      if (isLive) timer = setTimeout(tick, INTERVAL_MS);
    };
    start().catch(fail);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isLive, round]);
  return { events, problem, retry: () => setRound((before) => before + 1) };
}
