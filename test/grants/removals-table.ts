import { nameOf } from "./grant.ts";
import type { Removal } from "./grant-drill.ts";

const WIDEST = 150;

const cut = (text: string): string => (text.length > WIDEST ? `${text.slice(0, WIDEST)}…` : text);

/** Formats a removal in three lines: the grant, the step that uses it, and the lost facts. */
function row({ grant, step = "no step uses it", lost, instead }: Removal): string {
  const [fact = "nothing: nobody noticed"] = lost;
  const answered = lost.length > 0 && instead !== fact ? `, but ${cut(instead ?? "")}` : "";
  const more = lost.length > 1 ? ` (and ${lost.length - 1} more)` : "";
  return `${nameOf(grant)}\n    step: ${grant.operation} ${step}\n    lost: ${cut(fact)}${more}${answered}`;
}

/** Formats the results of the drill: each removal, and how many of them steps detected. */
export function removalsTable(noticed: readonly Removal[], unnoticed: readonly Removal[]): string {
  const all = [...noticed, ...unnoticed];
  return [...all.map(row), `${noticed.length} of ${all.length} removals detected`].join("\n");
}
