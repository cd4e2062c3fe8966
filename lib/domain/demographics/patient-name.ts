import * as z from "zod";

/** The most characters that an order takes of a name. */
const MOST_CHARACTERS = 50;

/** What laboratories take as a first or last name: words of letters, digits and four marks, with single spaces between. */
export const patientNamePattern = /^[a-zA-Z0-9][a-zA-Z0-9\-.,']*(\s[a-zA-Z0-9\-.,']+)*$/;

/** What is wrong with a name, in words that do not repeat it; undefined for one that laboratories take. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "A name has at least one character";
  if (name.length > MOST_CHARACTERS) return `A name has at most ${MOST_CHARACTERS} characters`;
  if (patientNamePattern.test(name)) return undefined;
  if (/^\s|\s$/.test(name)) return "A name neither begins nor ends with a space";
  if (/\s\s/.test(name)) return "A name has single spaces between its words";
  if (/[^a-zA-Z0-9\-.,'\s]/.test(name)) {
    return "A name has only the letters a to z without accents, digits, spaces and - . , '";
  }
  return "A name begins with a letter or a digit";
}

/** A first or last name as laboratories take it (spec, Errors 3). */
export const patientName = z
  .string()
  .regex(patientNamePattern, { error: ({ input }) => nameProblem(String(input)) ?? "", abort: true })
  .max(MOST_CHARACTERS, { error: ({ input }) => nameProblem(String(input)) ?? "" })
  .meta({ phi: true });
