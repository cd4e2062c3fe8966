import { type KeyScope, keyScopeNames } from "../key-scopes.ts";

/** What a role of console sessions may do. */
interface ConsoleRoleRights {
  readonly scopes: readonly KeyScope[];
  /** Whether the role only reads, and reads no data of users. */
  readonly isImpersonal?: boolean;
}

const rightsByRole = {
  /** Settings, catalogues and counts. */
  reader: { scopes: ["read", "labs"], isImpersonal: true },
  /** Data of users and events, and replays of webhooks. */
  support: { scopes: ["read", "webhooks"] },
  /** Data of users, orders, results and their reviews. */
  clinician: { scopes: ["read", "labs"] },
  /** Everything that the key of the session may do, and the sessions of others. */
  admin: { scopes: keyScopeNames },
} as const satisfies Readonly<Record<string, ConsoleRoleRights>>;
export type ConsoleRole = keyof typeof rightsByRole;

/** The roles of console sessions. docs/console.md describes them. */
export const consoleRoles: Readonly<Record<ConsoleRole, ConsoleRoleRights>> = rightsByRole;
export const consoleRoleNames = Object.keys(rightsByRole) as [ConsoleRole, ...ConsoleRole[]];

/**
 * Returns the scopes of a session: those of its role that its key has.
 * @param keyScopes scopes of the key; undefined for full access.
 */
export const consoleScopes = (role: ConsoleRole, keyScopes: readonly string[] | undefined): readonly KeyScope[] =>
  consoleRoles[role].scopes.filter((scope) => keyScopes?.includes(scope) ?? true);
