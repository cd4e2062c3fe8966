import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import * as z from "zod";
import type { ValueSpec } from "./declaration.ts";

const MAX_SEED = 2 ** 31;

/** An option without a value. */
export const flag = (help: string): ValueSpec<boolean> => ({ help, schema: z.boolean().default(false) });

/** An option with a value. */
export const option = <Schema extends z.ZodType>(placeholder: string, help: string, schema: Schema) => ({
  placeholder,
  help,
  schema,
});

/** An argument. The placeholder is `<name>` or, for one that may be absent, `[name]`. */
export const argument = option;

/** The last argument, which takes all remaining words. */
export const remainingArguments = <Schema extends z.ZodType>(placeholder: string, help: string, schema: Schema) => ({
  ...option(placeholder, help, schema),
  isVariadic: true,
});

/** A required text. */
export const text = z.string().min(1, "must not be empty");

/** A whole number from `min`. */
export const wholeNumber = (min = 1) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number of at least ${min}`)
    .transform(Number)
    .refine((value) => value >= min, `must be a whole number of at least ${min}`);

/** A port number; 0 means any free port. */
export const portNumber = wholeNumber(0).refine((port) => port <= 65_535, "must be a port number");

/** The seed of a run that can be repeated; random by default. */
export const seed = option(
  "<number>",
  "seed; random by default, and printed",
  wholeNumber(0)
    .optional()
    .transform((given) => given ?? randomInt(1, MAX_SEED)),
);

/** The folder in which the person typed the command; the launcher changes to the project's folder. */
const callerFolder = (): string => process.env.TRIBUTARY_CALLER_FOLDER ?? process.cwd();

/** Resolves a path that a person gave, relative to their folder. */
export const resolveForCaller = (given: string): string => resolve(callerFolder(), given);

/** The path of a file or folder, relative to the folder of the caller. */
export const path = text.transform(resolveForCaller);

/** An http or https address without a trailing slash. */
export const address = z
  .string()
  .refine(
    (given) => /^https?:\/\/[^/]/.test(given) && URL.canParse(given),
    "must be a URL, such as https://api.example.com",
  )
  .transform((given) => given.replace(/\/+$/, ""));

/** An instant in ISO 8601 with an offset, as the service expects it. */
export const instant = z
  .string()
  .refine((given) => /T.*(?:Z|[+-]\d\d:\d\d)$/.test(given) && !Number.isNaN(Date.parse(given)), {
    message: "must be an ISO 8601 instant with an offset, such as 2026-05-01T08:00:00Z",
  });

/** Facts that help and completions show of a schema. */
export interface SchemaFacts {
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  readonly defaultValue: unknown;
}

/** Reads the choices and the default of a schema, and whether it refuses an absent value. */
export function readSchema(schema: z.ZodType): SchemaFacts {
  let inner: unknown = schema;
  let defaultValue: unknown;
  for (;;) {
    if (inner instanceof z.ZodDefault) defaultValue = inner.def.defaultValue;
    if (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.def.innerType;
    else if (inner instanceof z.ZodArray) inner = inner.def.element;
    else if (inner instanceof z.ZodPipe) inner = inner.def.in;
    else break;
  }
  const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : [];
  return { isRequired: !schema.safeParse(undefined).success, choices, defaultValue };
}

/** `setLabAccount` as `set-lab-account`. */
export const toKebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
