/** How a state is meant: good, bad, in between, or neither. */
export type Tone = "good" | "bad" | "warn" | "plain";

const TONES: Readonly<Record<string, Tone>> = {
  connected: "good",
  delivered: "good",
  success: "good",
  completed: "good",
  normal: "good",
  available: "good",
  error: "bad",
  failed: "bad",
  failure: "bad",
  exhausted: "bad",
  critical: "bad",
  abnormal: "bad",
  disabled: "bad",
  pending: "warn",
  parked: "warn",
  paused: "warn",
  in_progress: "warn",
  scheduled: "warn",
};

/** A state as a word; its colour only repeats what the word says. */
export function Badge({ state, tone }: { readonly state: string; readonly tone?: Tone }) {
  return <span class={`badge ${tone ?? TONES[state] ?? "plain"}`}>{state.replaceAll("_", " ")}</span>;
}
