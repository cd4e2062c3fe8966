import { useEffect, useState } from "preact/hooks";
import { Problem } from "./request.ts";

/** What a view knows of something that it reads. While a new value loads, the value before it stays visible. */
export interface Load<Value> {
  readonly value: Value | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  /** Reads again, for example after an action. */
  readonly reload: () => void;
}

interface State<Value> {
  readonly key: string;
  readonly value?: Value;
  readonly problem?: Problem;
  readonly isLoading: boolean;
}

/**
 * Reads something when a view appears and whenever `key` changes. A reading that is no longer needed is aborted.
 * @param key identifies what is read; another key forgets the value.
 */
export function useLoad<Value>(key: string, read: (signal: AbortSignal) => Promise<Value>): Load<Value> {
  const [state, setState] = useState<State<Value>>({ key, isLoading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => (before.key === key ? { ...before, isLoading: true } : { key, isLoading: true }));
    read(controller.signal).then(
      (value) => controller.signal.aborted || setState({ key, value, isLoading: false }),
      (error) => controller.signal.aborted || setState({ key, problem: toProblem(error), isLoading: false }),
    );
    return () => controller.abort();
  }, [key, round]);
  const known: State<Value> = state.key === key ? state : { key, isLoading: true };
  const reload = () => setRound((before) => before + 1);
  return { value: known.value, problem: known.problem, isLoading: known.isLoading, reload };
}

/** Any thrown value as a problem that a view can show. */
export const toProblem = (error: unknown) =>
  error instanceof Problem ? error : new Problem(error instanceof Error ? error.message : String(error));
