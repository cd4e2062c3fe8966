import * as z from "zod";
import type { ConsoleRole } from "../../contract/console/console-roles.ts";
import type { ConsoleProvider } from "./console-provider.ts";

/** Claims of a verified ID token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Maximum number of values of a claim that are compared. */
const MAX_VALUES = 1_000;
/** Maximum length of what a provider calls a person. */
const MAX_NAME_LENGTH = 80;

/** A subject: at most 255 ASCII characters (OpenID Connect Core 1.0, section 2). */
export const subject = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/**
 * Returns the texts of a claim: itself, or the texts of its list. A name with dots that the token lacks is a path into
 * objects, because some providers nest roles.
 */
function readClaim(claims: Claims, name: string): string[] {
  const walk = (value: unknown, part: string) =>
    value !== null && typeof value === "object" && Object.hasOwn(value, part) ? (value as Claims)[part] : undefined;
  const found = walk(claims, name) ?? name.split(".").reduce<unknown>(walk, claims);
  const values = Array.isArray(found) ? found.slice(0, MAX_VALUES) : [found];
  return values.filter((value) => typeof value === "string");
}

/**
 * Returns the role of a person: that of the first entry whose value the claim has.
 * @returns undefined if the claim is missing or has none of the values.
 */
export function findRole(
  claims: Claims,
  { role_claim, roles }: Pick<ConsoleProvider, "role_claim" | "roles">,
): ConsoleRole | undefined {
  const values = new Set(readClaim(claims, role_claim));
  return roles.find(({ value }) => values.has(value))?.role;
}

/**
 * Returns the name of a person for the access log: what the provider calls them, and their subject, which no person
 * can choose.
 */
export function nameOfPerson(claims: Claims & { readonly sub: string }): string {
  const label = ["name", "preferred_username", "email"].map((claim) => cleanName(claims[claim])).find(Boolean);
  return label ? `${label} (${claims.sub})` : claims.sub;
}

/** One line of text at most, without characters that change how other text looks. */
const cleanName = (value: unknown): string =>
  typeof value === "string"
    ? value
        .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
        .trim()
        .slice(0, MAX_NAME_LENGTH)
    : "";
