import * as z from "zod";

/** Maximum length of a name in an order, characters. */
const MAX_NAME_LENGTH = 50;

/** Names that laboratories accept: words of letters, digits and four punctuation marks, separated by single spaces. */
export const patientNamePattern = /^[a-zA-Z0-9][a-zA-Z0-9\-.,']*(\s[a-zA-Z0-9\-.,']+)*$/;

/** Describes the problem of a name without repeating it; undefined for a name that laboratories accept. */
export function findNameProblem(name: string): string | undefined {
  if (name === "") return "A name needs at least one character";
  if (name.length > MAX_NAME_LENGTH) return `A name can have at most ${MAX_NAME_LENGTH} characters`;
  if (patientNamePattern.test(name)) return undefined;
  if (/^\s|\s$/.test(name)) return "A name cannot start or end with a space";
  if (/\s\s/.test(name)) return "A name can have only single spaces between words";
  if (/[^a-zA-Z0-9\-.,'\s]/.test(name)) {
    return "A name can contain only the letters a to z without accents, digits, spaces and - . , '";
  }
  return "A name must start with a letter or a digit";
}

/** A first or last name that laboratories accept. */
export const patientName = z
  .string()
  .regex(patientNamePattern, { error: ({ input }) => findNameProblem(String(input)) ?? "", abort: true })
  .max(MAX_NAME_LENGTH, { error: ({ input }) => findNameProblem(String(input)) ?? "" })
  .meta({ phi: true });
