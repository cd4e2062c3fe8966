import type { GrantRemoval } from "./grant-drill.ts";
import { describeGrant } from "./policy-grant.ts";

const MAX_WIDTH = 150;

const truncateText = (text: string): string => (text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH)}…` : text);

/** Formats a removal in three lines: the grant, the step that uses it, and the lost facts. */
function row({ grant, step = "no step uses it", lost, instead }: GrantRemoval): string {
  const [fact = "nothing: nobody noticed"] = lost;
  const answered = lost.length > 0 && instead !== fact ? `, but ${truncateText(instead ?? "")}` : "";
  const more = lost.length > 1 ? ` (and ${lost.length - 1} more)` : "";
  return `${describeGrant(grant)}\n    step: ${grant.operation} ${step}\n    lost: ${truncateText(fact)}${more}${answered}`;
}

/** Formats the results of the drill: each removal, and how many of them steps detected. */
export function formatRemovals(noticed: readonly GrantRemoval[], unnoticed: readonly GrantRemoval[]): string {
  const all = [...noticed, ...unnoticed];
  return [...all.map(row), `${noticed.length} of ${all.length} removals detected`].join("\n");
}
