import { readAllPages, type WholeList } from "./all-pages.ts";
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

/** Lists the API keys of the team, newest first. */
export async function listKeys(signal: AbortSignal): Promise<WholeList<ApiKey>> {
  type KeyPage = { readonly api_keys: readonly ApiKey[]; readonly next_cursor: string | null };
  const list = await readAllPages(async (next_cursor) => {
    const page = await askDeployment<KeyPage>(LIST, queryOf({ ...ownTeam(), next_cursor }), { signal });
    return { rows: page.api_keys, next_cursor: page.next_cursor };
  });
  return { ...list, rows: list.rows.toReversed() };
}

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
export const listApps = (signal: AbortSignal): Promise<WholeList<ProviderApp>> =>
  readAllPages(async (next_cursor) => {
    type AppPage = { readonly credentials: readonly ProviderApp[]; readonly next_cursor: string | null };
    const page = await askDeployment<AppPage>(APPS, queryOf({ ...ownTeam(), next_cursor }), { signal });
    return { rows: page.credentials, next_cursor: page.next_cursor };
  });

/** Sets the application of the team at a provider, and replaces the one before. */
export const setApp = (provider: string, client_id: string, client_secret: string) =>
  askDeployment(APPS, "", { method: "POST", body: { ...ownTeam(), provider, client_id, client_secret } });

/** Deletes the application of the team at a provider. */
export const deleteApp = (id: string) =>
  askDeployment(APPS, queryOf({ ...ownTeam(), credential_id: id }), { method: "DELETE" });
