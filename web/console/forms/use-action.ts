import { useState } from "preact/hooks";
import { toProblem } from "../api/use-load.ts";

/** An action of a person: whether it runs, and what to say of it. */
export interface Action {
  readonly isBusy: boolean;
  /** What came of the last run, in words; empty before it. */
  readonly said: string;
  readonly isBad: boolean;
  /**
   * Runs the action.
   * @param done what to say if it succeeds.
   * @returns whether it succeeded.
   */
  readonly run: (act: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

/** Runs actions one at a time, and says what came of them. */
export function useAction(): Action {
  const [state, setState] = useState({ isBusy: false, said: "", isBad: false });
  const run = async (act: () => Promise<unknown>, done = "") => {
    setState({ isBusy: true, said: "", isBad: false });
    try {
      await act();
      setState({ isBusy: false, said: done, isBad: false });
      return true;
    } catch (error) {
      setState({ isBusy: false, said: toProblem(error).message, isBad: true });
      return false;
    }
  };
  return { ...state, run };
}
