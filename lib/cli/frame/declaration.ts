import type * as z from "zod";
import type { Session } from "./session.ts";

/** An argument or an option of a command. */
export interface ValueSpec<T = unknown> {
  /** How help shows the value, such as `<file>`. Absent for an option without a value. */
  readonly placeholder?: string;
  /** What the value means, in a few words. */
  readonly help: string;
  /** Checks and converts the text. It decides whether the value is required, its default and its choices. */
  readonly schema: z.ZodType<T>;
  /** Whether an argument takes all remaining words. */
  readonly isVariadic?: boolean;
}

export type ValueSpecs = Readonly<Record<string, ValueSpec>>;

/** The converted values of specs, by name. */
export type ValuesOf<Specs extends ValueSpecs> = { readonly [Name in keyof Specs]: z.output<Specs[Name]["schema"]> };

/** The result of a command. */
export interface Outcome {
  /** False ends with exit code 1. */
  readonly isOk?: boolean;
  /** What `--json` prints. */
  readonly data?: unknown;
}

/** A command: its help, its completions, its row in docs/commands.md and its arguments all come from here. */
export interface Command {
  readonly name: string;
  /** One sentence without its period. */
  readonly summary: string;
  /** Further sentences of the help, one a line. */
  readonly description?: readonly string[];
  /** Arguments in their order. */
  readonly args: ValueSpecs;
  /** Options by their names in camel case. */
  readonly options: ValueSpecs;
  /** Command lines without the program's name, each with what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** `option`: the command has `--json`. `always`: it prints JSON with and without it. */
  readonly json?: "option" | "always";
  /** Words before the message of a failure, such as `Not done`. */
  readonly failurePrefix?: string;
  readonly run?: (given: never, session: Session) => Promise<Outcome | undefined>;
  readonly subcommands: readonly Command[];
}

type Declared<Args extends ValueSpecs, Options extends ValueSpecs> = Partial<
  Omit<Command, "args" | "options" | "run" | "name" | "summary">
> & {
  readonly name: string;
  readonly summary: string;
  readonly args?: Args;
  readonly options?: Options;
  readonly run?: (given: ValuesOf<Args> & ValuesOf<Options>, session: Session) => Promise<Outcome | undefined>;
};

// biome-ignore lint/complexity/noBannedTypes: a command without arguments has no names
type None = {};

/**
 * Declares a command. `run` gets the arguments and options as their schemas convert them.
 * @example
 * export const openapi = declareCommand({
 *   name: "openapi",
 *   summary: "Prints the OpenAPI document",
 *   args: { file: argument("[file]", "file to write", z.string().optional()) },
 *   run: async ({ file }, session) => { ... },
 * });
 */
export function declareCommand<Args extends ValueSpecs = None, Options extends ValueSpecs = None>(
  declared: Declared<Args, Options>,
): Command {
  return { args: {}, options: {}, examples: [], subcommands: [], ...declared } as Command;
}
