import type { Command } from "../frame/declaration.ts";
import { readSchema, toKebabCase } from "../frame/values.ts";

/** A word that may come next, with its meaning. */
export interface CompletionWord {
  readonly word: string;
  readonly help: string;
}

/** An option that may come next. */
export interface CompletionOption extends CompletionWord {
  readonly takesValue: boolean;
  /** Values that the option accepts; empty if it accepts others. */
  readonly choices: readonly string[];
}

/** What may follow a command. */
export interface Completion {
  /** The names of the command and of its parents; empty for the program itself. */
  readonly path: readonly string[];
  /** Names of subcommands, and choices of arguments. */
  readonly words: readonly CompletionWord[];
  readonly options: readonly CompletionOption[];
}

const HELP: CompletionOption = { word: "--help", help: "print this help", takesValue: false, choices: [] };

/** Lists what may follow the program and each of its commands. */
export function listCompletions(commands: readonly Command[]): Completion[] {
  const root = { path: [], words: commands.map(toWord), options: [HELP] };
  return [root, ...commands.flatMap((command) => listBelow(command, []))];
}

const toWord = ({ name, summary }: Command): CompletionWord => ({ word: name, help: summary });

function listBelow(command: Command, parents: readonly string[]): Completion[] {
  const path = [...parents, command.name];
  const values = Object.values(command.args).flatMap(({ schema, help }) =>
    readSchema(schema).choices.map((word) => ({ word, help })),
  );
  const own = { path, words: [...command.subcommands.map(toWord), ...values], options: listOptions(command) };
  return [own, ...command.subcommands.flatMap((subcommand) => listBelow(subcommand, path))];
}

function listOptions({ options, json }: Command): CompletionOption[] {
  const declared = Object.entries(options).map(([name, { help, schema, placeholder }]) => {
    const { choices } = readSchema(schema);
    return { word: `--${toKebabCase(name)}`, help, takesValue: placeholder !== undefined, choices };
  });
  const toJson = { ...HELP, word: "--json", help: "print JSON" };
  return [...declared, ...(json ? [toJson] : []), HELP];
}
