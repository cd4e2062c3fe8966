import type { Completion } from "./list-completions.ts";

/** Quotes a text for bash and zsh. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The path of a command as the scripts of bash and zsh collect it: each name after a space. */
export const pathText = (path: readonly string[]): string => path.map((name) => ` ${name}`).join("");

/** The pattern of all commands, in one case of bash and zsh. */
export const commandPattern = (completions: readonly Completion[]): string =>
  completions.flatMap(({ path }) => (path.length > 0 ? [quote(pathText(path))] : [])).join("|");

/** Options with choices: the path and the option, and its values. */
export const valueCases = (completions: readonly Completion[]) =>
  completions.flatMap(({ path, options }) =>
    options.flatMap(({ word, choices }) =>
      choices.length > 0 ? [{ pattern: quote(`${pathText(path)} ${word}`), choices }] : [],
    ),
  );
