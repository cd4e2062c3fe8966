import { format } from "node:util";

const METHODS = ["debug", "info", "log", "warn", "error"] as const;

/**
 * Passes every console line to `take`. A line for which `take` returns true is not written to the console.
 * @returns a function that restores the console.
 */
export function captureConsole(take: (line: string) => boolean): () => void {
  const originals = METHODS.map((method) => [method, console[method]] as const);
  for (const [method, original] of originals) {
    console[method] = (...values: unknown[]) => {
      if (!take(format(...values))) original(...values);
    };
  }
  return () => {
    for (const [method, original] of originals) console[method] = original;
  };
}
