import { askDeployment, ownTeam } from "./management.ts";
import { queryOf } from "./request.ts";

/** An API key of the team. */
export interface ApiKey {
  readonly id: string;
  readonly label: string;
  /** Prefix, id and last four characters. */
  readonly value: string;
  readonly created_at: string;
  readonly lab: string | null;
  readonly scopes: readonly string[] | null;
  readonly last_used_at: string | null;
  readonly retired_at: string | null;
}

const LIST = "team_api_keys";

/** Lists the API keys of the team, at most 50, oldest first. */
export const listKeys = async (signal: AbortSignal) =>
  (await askDeployment<{ readonly api_keys: readonly ApiKey[] }>(LIST, queryOf(ownTeam()), { signal })).api_keys;

/** Creates an API key. @param scopes undefined for full access. @returns the whole key, which no other answer has. */
export const createKey = async (label: string, scopes: readonly string[] | undefined) => {
  const body = { label, ...ownTeam(), ...(scopes ? { scopes } : {}) };
  return (await askDeployment<{ readonly value: string }>(LIST, "", { method: "POST", body })).value;
};

/** Deletes a key with all that it created, or retires it, which keeps what it created. */
export const endKey = (id: string, how: "delete" | "retire") =>
  askDeployment(LIST, queryOf({ api_key_id: id, ...(how === "retire" ? { keep_made: "true" } : {}) }), {
    method: "DELETE",
  });

/** The team's own application at a provider. Its secret is never returned. */
export interface ProviderApp {
  readonly id: string;
  readonly source: string;
  readonly client_id: string | null;
  readonly client_secret_hash: string | null;
  readonly updated_at: string;
}

const APPS = "team_custom_credentials";

/** Lists the provider applications of the team. */
export const listApps = async (signal: AbortSignal) =>
  (await askDeployment<{ readonly credentials: readonly ProviderApp[] }>(APPS, queryOf(ownTeam()), { signal }))
    .credentials;

/** Sets the application of the team at a provider, and replaces the one before. */
export const setApp = (provider: string, client_id: string, client_secret: string) =>
  askDeployment(APPS, "", { method: "POST", body: { ...ownTeam(), provider, client_id, client_secret } });

/** Deletes the application of the team at a provider. */
export const deleteApp = (id: string) =>
  askDeployment(APPS, queryOf({ ...ownTeam(), credential_id: id }), { method: "DELETE" });
