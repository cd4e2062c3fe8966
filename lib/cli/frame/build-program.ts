import { Argument, Command as CommandLine, Option } from "commander";
import type { Command, ValueSpec } from "./declaration.ts";
import { readSchema, toKebabCase } from "./values.ts";

/** Runs a command with its raw words. @param line reports wrong usage. */
export type RunCommand = (command: Command, raw: Readonly<Record<string, unknown>>, line: CommandLine) => Promise<void>;

/** The name that help shows. */
const PROGRAM = "tributary";

const FOOTER = `
Exit codes: 0 done, 1 the work failed, 2 wrong usage.
NO_COLOR turns colours off. A pipe gets neither colours nor progress bars.`;

/** Help is no wider than a text that reads well. */
const helpWidth = Math.min(process.stdout.columns ?? 80, 100);

/** Builds the command line of a table of commands. It throws CommanderError instead of ending the process. */
export function buildProgram(commands: readonly Command[], version: string, run: RunCommand): CommandLine {
  const program = new CommandLine(PROGRAM)
    .description("Runs and administers Tributary.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .configureHelp({ helpWidth, subcommandTerm: (line) => line.name() })
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText("after", FOOTER);
  for (const command of commands) addCommand(program, command, run);
  finish(program);
  return program;
}

function addCommand(parent: CommandLine, command: Command, run: RunCommand): void {
  const line = parent.command(command.name).summary(command.summary).allowExcessArguments(false);
  line.description([`${command.summary}.`, (command.description ?? []).join(" ")].filter(Boolean).join("\n"));
  line.helpOption("-h, --help", "print this help");
  for (const [name, spec] of Object.entries(command.args)) line.addArgument(toArgument(name, spec));
  for (const [name, spec] of Object.entries(command.options)) line.addOption(toOption(name, spec));
  if (command.json)
    line.option("--json", command.json === "option" ? "print JSON" : "print JSON, as this command always does");
  if (command.examples.length > 0) line.addHelpText("after", `\nExamples:\n${formatExamples(command)}`);
  for (const subcommand of command.subcommands) addCommand(line, subcommand, run);
  if (command.run) line.action(() => run(command, { ...namedArguments(command, line), ...line.opts() }, line));
  finish(line);
}

/** Sets what depends on all arguments of a command: the usage behind an error. */
function finish(line: CommandLine): void {
  const help = line.createHelp();
  line.showHelpAfterError(`Usage: ${help.commandUsage(line)}`);
}

function namedArguments({ args }: Command, line: CommandLine): Record<string, unknown> {
  return Object.fromEntries(Object.keys(args).map((name, at) => [name, line.processedArgs[at]]));
}

/** Requirements are checked with the schema, so that every message has one form. */
function toArgument(name: string, { help, schema, placeholder, isVariadic }: ValueSpec): Argument {
  const { isRequired, choices } = readSchema(schema);
  const shown = (placeholder ?? name).replaceAll(/^[<[]|[\]>]$/g, "") + (isVariadic ? "..." : "");
  return new Argument(isRequired ? `<${shown}>` : `[${shown}]`, withChoices(help, choices));
}

function toOption(name: string, { help, schema, placeholder }: ValueSpec): Option {
  const { isRequired, choices, defaultValue } = readSchema(schema);
  const flags = `--${toKebabCase(name)}${placeholder ? ` ${placeholder}` : ""}`;
  const notes = [
    isRequired ? "required" : "",
    placeholder && defaultValue !== undefined ? `default: ${defaultValue}` : "",
  ].filter(Boolean);
  return new Option(flags, withChoices(help, choices) + (notes.length > 0 ? ` (${notes.join(", ")})` : ""));
}

const withChoices = (help: string, choices: readonly string[]): string =>
  choices.length > 0 ? `${help}: ${choices.join(", ")}` : help;

/** The examples of a command, one a line, in columns. */
export function formatExamples({ examples }: Command): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  return examples.map(([line, effect]) => `  ${PROGRAM} ${line.padEnd(width)}  # ${effect}`).join("\n");
}
