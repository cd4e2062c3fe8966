import { timingSafeEqual } from "node:crypto";
import { parseForm, type SimulatedRequest } from "./simulated-http.ts";

/** Client credentials of the only application that simulated providers accept. */
export const CLIENT_ID = "tributary-local";
export const CLIENT_SECRET = "tributary-local-secret";

/** Further keys of that application, by the name that connectors use. */
export const APP_KEYS = {
  subscription_key: "tributary-local-subscription-key",
  sc: "tributary-local-sc",
  sv_bp: "tributary-local-sv-bp",
  sv_glucose: "tributary-local-sv-glucose",
  sv_weight: "tributary-local-sv-weight",
  sv_spo2: "tributary-local-sv-spo2",
  sv_activity: "tributary-local-sv-activity",
  sv_sleep: "tributary-local-sv-sleep",
} as const;

/** Where a request carries the client credentials. */
export type ClientAuthentication = "body" | "basic" | "query";

/** Returns true if a request carries valid client credentials in an accepted place. */
export function isApplication(request: SimulatedRequest, accepted: readonly ClientAuthentication[]): boolean {
  return accepted.some((way) => isKnownApplication(credentials[way](request)));
}

/** Returns true for the registered redirect URI: the provider's callback route on 127.0.0.1. */
export function isAllowedRedirectUri(text: string | null, slug: string): boolean {
  if (text === null || !URL.canParse(text)) return false;
  const { protocol, hostname, pathname, username, hash } = new URL(text);
  const isLocal = protocol === "http:" && hostname === "127.0.0.1" && username === "" && hash === "";
  return isLocal && pathname === `/v2/link/callback/${slug}`;
}

type Credentials = readonly [id: string | null, secret: string | null];

const readCredentials = (fields: URLSearchParams): Credentials => [
  fields.get("client_id"),
  fields.get("client_secret"),
];

const credentials: Readonly<Record<ClientAuthentication, (request: SimulatedRequest) => Credentials>> = {
  body: (request) => readCredentials(parseForm(request)),
  query: ({ query }) => readCredentials(query),
  basic: ({ headers }) => {
    const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? "") ?? [];
    if (encoded === undefined) return [null, null];
    const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    return [decodeURIComponent(id), decodeURIComponent(secret)];
  },
};

function isKnownApplication([id, secret]: Credentials): boolean {
  const [given, right] = [Buffer.from(secret ?? ""), Buffer.from(CLIENT_SECRET)];
  return id === CLIENT_ID && given.length === right.length && timingSafeEqual(given, right);
}
