import * as z from "zod";
import { parseSmartScope } from "../resource-access.ts";
import { patientTypes } from "../search-query.ts";

/** Maximum number of clients of a team, and of keys of a client. */
export const MAX_CLIENTS = 50;
const MAX_KEYS = 10;
/** Lifetime of the access token of a client, seconds. */
export const TOKEN_LIFETIME_S = 300;
/** The longest time from now to the expiry of an assertion (SMART Backend Services). */
export const MAX_ASSERTION_S = 300;
/** Signature algorithms that SMART App Launch names. */
export const assertionAlgorithms = ["RS384", "ES384"] as const;

/** Parameters of a private or symmetric key (RFC 7518, section 6). */
const secretParameters = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
/** Minimum length of the modulus of an RSA key of 2,048 bits, in base64url. */
const MIN_MODULUS_LENGTH = 342;

/** A public key as JSON Web Key (RFC 7517). Other parameters are ignored. */
export const publicJwk = z
  .looseObject({ kty: z.enum(["RSA", "EC"]), kid: z.string().min(1).max(200) })
  .refine((jwk) => !secretParameters.some((name) => name in jwk), "Not a public key")
  .refine(({ kty, crv }) => kty !== "EC" || crv === "P-384", "ES384 needs the curve P-384")
  .refine(({ kty, n }) => kty !== "RSA" || String(n ?? "").length >= MIN_MODULUS_LENGTH, "RSA needs 2,048 bits")
  .transform(({ kty, kid, n, e, crv, x, y }) => pickTexts({ kty, kid, n, e, crv, x, y }));

/** Leaves out what is no text, so that a key of any size is stored as its parameters only. */
const pickTexts = (parameters: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      typeof value === "string" && value.length <= MAX_PARAMETER_LENGTH ? [[name, value]] : [],
    ),
  );
const MAX_PARAMETER_LENGTH = 1_400;

/** A set of public keys. */
const publicJwks = z.object({ keys: z.array(publicJwk).min(1).max(MAX_KEYS) });

/** The scopes that a client can have: `system/`, a type or `*`, and `.rs`, `.r`, `.s` or `.read`. */
const isClientScope = (text: string): boolean => {
  const scope = parseSmartScope(text);
  const isKnownType = scope?.type === "*" || (patientTypes as readonly string[]).includes(scope?.type ?? "");
  return isKnownType && ["r", "s", "rs"].includes(scope?.interactions ?? "");
};

/** Whether scopes of a client include a requested one. */
export const coversScope = (registered: readonly string[], requested: string): boolean => {
  const wanted = parseSmartScope(requested);
  const isCovered = (scope: string) => {
    const granted = parseSmartScope(scope);
    return (
      granted !== undefined &&
      ["*", wanted?.type].includes(granted.type) &&
      [...(wanted?.interactions ?? "")].every((one) => granted.interactions.includes(one))
    );
  };
  return isClientScope(requested) && registered.some(isCovered);
};

const scope = z.string().max(100).refine(isClientScope, "Not a scope such as system/*.rs or system/Observation.rs");

/** A client as stored. */
export const fhirClient = z.object({
  client_id: z.string(),
  team_id: z.string(),
  label: z.string(),
  scopes: z.array(z.string()),
  /** Its public keys, or the address of them. */
  jwks: z.object({ keys: z.array(z.record(z.string(), z.string())) }).optional(),
  jwks_url: z.string().optional(),
  /** ISO 8601. */
  created_at: z.string(),
  /** Public id of the management key that registered it. Its tokens end with this key. */
  made_by: z.string(),
});
export type FhirClient = z.output<typeof fhirClient>;

/** A client to register. */
export const fhirClientDraft = z
  .object({
    label: z.string().trim().min(1).max(100),
    scopes: z.array(scope).min(1).max(20).describe("Scopes such as `system/*.rs` and `system/Observation.rs`"),
    jwks: publicJwks.nullish().describe("Public keys: RSA of 2,048 bits or more, or EC on P-384, each with a `kid`"),
    jwks_url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .nullish()
      .describe("HTTPS address of a JSON Web Key Set"),
  })
  .refine(({ jwks, jwks_url }) => (jwks == null) !== (jwks_url == null), "Give one of jwks and jwks_url");

/** A client in its wire form. */
export const wireFhirClient = z
  .object({
    client_id: z.string(),
    label: z.string(),
    scopes: z.array(z.string()),
    key_ids: z.array(z.string()).describe("The `kid` of each registered key; empty with `jwks_url`"),
    jwks_url: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: "FhirClient" });

/** Converts a client to its wire form. */
export const toWireFhirClient = ({ client_id, label, scopes, jwks, jwks_url, created_at }: FhirClient) => ({
  ...{ client_id, label, scopes, created_at },
  jwks_url: jwks_url ?? null,
  key_ids: (jwks?.keys ?? []).map(({ kid = "" }) => kid),
});

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const CLIENT_ID = new RegExp(`^(${UUID})\\.${UUID}$`);

/** The id of a client contains that of its team, by which the service finds it. */
export const toClientId = (teamId: string, id: string): string => `${teamId}.${id}`;
export const parseClientTeam = (clientId: string): string | undefined => CLIENT_ID.exec(clientId)?.[1];
