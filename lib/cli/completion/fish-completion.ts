import type { Completion, CompletionOption } from "./list-completions.ts";

/** Quotes a text for fish, whose single quotes know escapes. */
const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** Writes the completion script of fish. Where no word fits, fish completes file names. */
export function fishCompletion(completions: readonly Completion[]): string {
  return `${completions.flatMap((one) => completeCommand(one, completions)).join("\n")}\n`;
}

/** The condition that the command line is at a command: it has the names of the path and no name of a subcommand. */
function conditionOf({ path }: Completion, completions: readonly Completion[]): string {
  if (path.length === 0) return "__fish_use_subcommand";
  const isBelow = (other: Completion) =>
    other.path.length === path.length + 1 && path.every((name, at) => other.path[at] === name);
  const below = completions.filter(isBelow).map((other) => other.path.at(-1));
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const unseen = below.length > 0 ? [`not __fish_seen_subcommand_from ${below.join(" ")}`] : [];
  return [...seen, ...unseen].join("; and ");
}

function completeCommand(completion: Completion, completions: readonly Completion[]): string[] {
  const start = `complete -c tributary -n ${quote(conditionOf(completion, completions))}`;
  const words = completion.words.map(({ word, help }) => `${start} -f -a ${quote(word)} -d ${quote(help)}`);
  return [...words, ...completion.options.map((option) => `${start} ${completeOption(option)}`)];
}

function completeOption({ word, help, takesValue, choices }: CompletionOption): string {
  const value = choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : takesValue ? " -r" : "";
  return `-l ${word.slice(2)}${value} -d ${quote(help)}`;
}
