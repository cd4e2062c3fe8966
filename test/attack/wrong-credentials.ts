import { randomBytes } from "node:crypto";
import * as dialect from "../../lib/contract/compatibility.ts";
import { type EndpointContract, managementScopeOf } from "../../lib/contract/endpoint.ts";
import { keyScopeNames } from "../../lib/contract/key-scopes.ts";
import { requiredKeyScope } from "../../lib/contract/required-key-scope.ts";
import type { GuardedAuth } from "./attack-targets.ts";

type Headers = Readonly<Record<string, string>>;
export type Credentials = Readonly<Record<GuardedAuth, Headers>>;

/** A credential that a route has to refuse, with this status. */
export interface WrongCredential {
  readonly kind: string;
  readonly headers: Headers;
  readonly status: 401 | 403;
}

/** Name of the cookie of the console. */
const COOKIE = "tributary_console";

/** Where a secret of each kind is in a request. A new kind of authentication fails to compile until it has a line. */
const carriers: Readonly<Record<GuardedAuth, (secret: string) => Headers>> = {
  team: (secret) => ({ [dialect.teamKeyHeaders[0]]: secret }),
  console: (secret) => ({ cookie: `${COOKIE}=${secret}`, [dialect.consoleRequestHeader]: "1" }),
  lab: (secret) => ({ [dialect.labKeyHeader]: secret }),
  management: (secret) => ({ [dialect.managementKeyHeaders[0]]: secret }),
  portal: (secret) => ({ [dialect.portalSessionHeader]: secret }),
  review: (secret) => ({ [dialect.reviewLinkHeader]: secret }),
  link: (secret) => ({ [dialect.linkTokenHeaders[0]]: secret }),
  session: (secret) => ({ [dialect.accessTokenHeader]: `Bearer ${secret}` }),
};
export const guardedKinds = Object.keys(carriers) as GuardedAuth[];

/** Returns the secret of a credential. */
function secretOf(headers: Headers): string {
  const [value = ""] = Object.entries(headers).flatMap(([name, text]) =>
    name === dialect.consoleRequestHeader ? [] : [text],
  );
  return value.replace(/^Bearer |^\w+=/, "");
}

/** Sets of credentials that are no longer valid, by their reason. A set may lack a kind that stays valid. */
export type EndedCredentials = Readonly<Record<string, Partial<Credentials>>>;

/** What the wrong credentials of a route are made of. */
export interface CredentialStock {
  readonly valid: Credentials;
  readonly ended: EndedCredentials;
  /** Keys with one scope each. */
  readonly scoped: Readonly<Record<string, Headers>>;
}

/** Lists the wrong credentials of a route that requires a kind of credential. */
export function listWrongCredentials(
  auth: GuardedAuth,
  contract: EndpointContract,
  { valid, ended, scoped }: CredentialStock,
): WrongCredential[] {
  const own = secretOf(valid[auth]);
  const carry = carriers[auth];
  const named = (name: string, headers: Headers | undefined): WrongCredential[] =>
    headers ? [{ kind: name, headers, status: 401 }] : [];
  const others = guardedKinds.filter((kind) => kind !== auth);
  return [
    ...named("missing", {}),
    ...named("empty", carry("")),
    ...named("cut off", carry(own.slice(0, -1))),
    ...named("extended", carry(`${own}A`)),
    ...named("forged", carry(forge(own))),
    ...others.flatMap((kind) => named(`the secret of ${kind}`, carry(secretOf(valid[kind])))),
    ...others.flatMap((kind) => (isAccepted(kind, auth) ? [] : named(`as ${kind}`, valid[kind]))),
    ...Object.entries(ended).flatMap(([reason, of]) =>
      contract.acceptsEndedLinks && STILL_READABLE.test(reason) ? [] : named(reason, of[auth]),
    ),
    ...listLesserScopes(auth, contract, scoped, valid),
  ];
}

/** Ends of a link after which some routes still return its state. */
const STILL_READABLE = /expired|used/;

/** Sessions of the console also call routes of teams. */
const isAccepted = (kind: GuardedAuth, auth: GuardedAuth) => kind === "console" && auth === "team";

/** Replaces the second half of a secret. The ids at its start stay valid. */
function forge(secret: string): string {
  const half = Math.ceil(secret.length / 2);
  return (
    secret.slice(0, half) +
    randomBytes(secret.length)
      .toString("base64url")
      .slice(0, secret.length - half)
  );
}

function listLesserScopes(
  auth: GuardedAuth,
  contract: EndpointContract,
  scoped: Readonly<Record<string, Headers>>,
  valid: Credentials,
): WrongCredential[] {
  if (auth === "management" && managementScopeOf(contract) === "org")
    return [{ kind: "of one team", headers: valid.management, status: 403 }];
  const required = auth === "team" ? requiredKeyScope(contract) : undefined;
  if (required === undefined) return [];
  return keyScopeNames
    .filter((scope) => scope !== required)
    .map((scope) => ({ kind: `of the scope ${scope}`, headers: scoped[scope] ?? {}, status: 403 }));
}
