import { readFileSync } from "node:fs";
import { styleText } from "node:util";
import { CommanderError, type Command as CommandLine } from "commander";
import { InputError } from "../../connectors/imports/reading/input-error.ts";
import { StartRefused } from "../../local/start-refused.ts";
import { AdminRefused } from "../../start/admin-refused.ts";
import { SmokeFailed } from "../deploy/smoke-test.ts";
import { buildProgram } from "./build-program.ts";
import { CommandFailed, UsageRefused } from "./command-failed.ts";
import type { Command } from "./declaration.ts";
import { Session } from "./session.ts";
import { readSchema, toKebabCase } from "./values.ts";

/** Exit codes of every command. */
const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** Errors whose message is for a person. */
const expected = [CommandFailed, AdminRefused, InputError, SmokeFailed, StartRefused];

/** Runs the command that the words name, and sets the exit code of the process. */
export async function runProgram(commands: readonly Command[], words: readonly string[]): Promise<void> {
  endQuietlyOnClosedPipe();
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  const program = buildProgram(commands, version, runCommand).configureOutput({
    outputError: (message, write) => write(styleText("red", message, { stream: process.stderr })),
  });
  try {
    await program.parseAsync([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and the version on request have the exit code 0.
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

async function runCommand(command: Command, raw: Readonly<Record<string, unknown>>, line: CommandLine): Promise<void> {
  const session = new Session({ isJson: raw.json === true || command.json === "always" });
  try {
    const outcome = await command.run?.(convertValues(command, raw) as never, session);
    if (session.isJson && outcome && "data" in outcome)
      process.stdout.write(`${JSON.stringify(outcome.data, null, 2)}\n`);
    process.exitCode = outcome?.isOk === false ? exitCodes.failed : (process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error instanceof UsageRefused) line.error(`error: ${error.message}`);
    console.error(describeFailure(error, command.failurePrefix));
    process.exitCode = exitCodes.failed;
  }
}

/** Converts the words of a command by its schemas. @throws UsageRefused with the first invalid value. */
export function convertValues({ args, options }: Command, raw: Readonly<Record<string, unknown>>) {
  const values = [
    ...Object.entries(args).map(([name, spec]) => ({ name, spec, label: spec.placeholder ?? name })),
    ...Object.entries(options).map(([name, spec]) => ({ name, spec, label: `--${toKebabCase(name)}` })),
  ];
  const converted = values.map(({ name, spec, label }) => {
    const parsed = spec.schema.safeParse(raw[name]);
    if (parsed.success) return [name, parsed.data];
    if (raw[name] === undefined) throw new UsageRefused(`${label} is required`);
    const { choices } = readSchema(spec.schema);
    const problem = choices.length > 0 ? `must be one of ${choices.join(", ")}` : parsed.error.issues[0]?.message;
    throw new UsageRefused(`${label} ${problem}`);
  });
  return Object.fromEntries(converted) as Record<string, unknown>;
}

/** One line for an error that a person can correct; the whole error for any other. */
function describeFailure(error: unknown, prefix: string | undefined): unknown {
  const message = expectedMessage(error);
  return message === undefined ? error : [prefix, message].filter(Boolean).join(": ");
}

function expectedMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (expected.some((kind) => error instanceof kind)) return error.message;
  const isOfFile = "path" in error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
  return isOfFile ? error.message : undefined;
}

/** Ends without an error when the reader of a pipe has ended, as `head` does. */
function endQuietlyOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}
