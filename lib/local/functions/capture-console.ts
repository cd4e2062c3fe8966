import { format } from "node:util";

const METHODS = ["debug", "info", "log", "warn", "error"] as const;

/**
 * Offers `take` every line for the console; a line that it takes (true) is not written there.
 * @returns ends it.
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
