import type { ClientCredentials } from "../../connectors/client-credentials.ts";
import type { Connector } from "../../connectors/connector.ts";
import { connectorSlugs, findConnector } from "../../connectors/connectors.ts";
import { ProviderClient } from "../../connectors/provider-client.ts";
import { ProviderError } from "../../connectors/provider-error.ts";
import { parseDeploymentApps } from "../../domain/connections/providers/provider-apps.ts";
import { acceptBatch } from "../../domain/ingest/accept-batch.ts";
import { newUser } from "../../domain/users/user.ts";

/** Two days of data are enough to check the format of responses. */
const SPAN_MS = 2 * 86_400_000;

/** What a live provider returned for a resource. */
export interface LiveResult {
  readonly provider: string;
  readonly resource: string;
  readonly accepted: number;
  readonly rejected: number;
  /** Whether the pull succeeded and all records were accepted. */
  readonly isGood: boolean;
}

/** The variable with the access token of a provider. */
export const tokenVariable = (slug: string) => `LIVE_${slug.toUpperCase()}_ACCESS_TOKEN`;
/** The provider's id of the user, which some URLs contain. */
const readAccountId = (slug: string) => process.env[`LIVE_${slug.toUpperCase()}_ACCOUNT_ID`];

/** The application at a provider, `{client_id, client_secret, keys}`, which some providers demand beside the token. */
function readApp(slug: string): ClientCredentials | undefined {
  const app = parseDeploymentApps(`{"${slug}":${process.env[`LIVE_${slug.toUpperCase()}_APP`] ?? ""}}`);
  const { client_id: clientId, client_secret: clientSecret, keys } = (typeof app !== "string" && app.get(slug)) || {};
  return clientId && clientSecret ? { clientId, clientSecret, keys } : undefined;
}

/** Lists the providers of which the environment has an access token. */
export function listLiveTokens(): { readonly slug: string; readonly token: string }[] {
  return connectorSlugs.flatMap((slug) => {
    const token = process.env[tokenVariable(slug)];
    return token ? [{ slug, token }] : [];
  });
}

function createClient(slug: string, { retryAt, statusFromBody, tokenPlace }: Connector, token: string): ProviderClient {
  const send = (url: string, request: RequestInit) => fetch(url, { ...request, redirect: "manual" });
  const accessToken = async () => token;
  const accountId = readAccountId(slug);
  const app = async () => readApp(slug);
  const how = { retryAt, statusFromBody, tokenPlace };
  return new ProviderClient({ fetch: send, accessToken, app, now: Date.now, ...how, accountId });
}

/** Pulls every resource of a provider from its live service. @param report gets one line per resource. */
export async function smokeTestProvider(
  slug: string,
  token: string,
  report: (line: string) => void,
): Promise<LiveResult[]> {
  const connector = await findConnector(slug);
  if (!connector) return [];
  if (connector.isPushOnly) {
    report(`${slug}: only pushes data and cannot be pulled; connect an account instead.`);
    return [];
  }
  const client = createClient(slug, connector, token);
  const results: LiveResult[] = [];
  for (const { name } of connector.resources) results.push(await pullResource(slug, connector, name, client, report));
  return results;
}

async function pullResource(
  slug: string,
  connector: Connector,
  resource: string,
  client: ProviderClient,
  report: (line: string) => void,
): Promise<LiveResult> {
  const endMs = Date.now();
  const user = newUser({ client_user_id: "live" }, { userId: "live", teamId: "live" }, new Date(endMs).toISOString());
  let [accepted, rejected] = [0, 0];
  try {
    for await (const batch of connector.pull(resource, { startMs: endMs - SPAN_MS, endMs }, client)) {
      const { device_id = null, app_id = null, ...rest } = batch;
      const raw = { provider: slug, stage: "daily" as const, ...rest, device_id, app_id };
      const judged = acceptBatch(raw, user, endMs);
      accepted += judged.accepted;
      rejected += judged.rejected.length;
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    report(`${slug} ${resource}: ${error.message}`);
    return { provider: slug, resource, accepted, rejected, isGood: false };
  }
  report(`${slug} ${resource}: ${accepted} records accepted, ${rejected} rejected`);
  return { provider: slug, resource, accepted, rejected, isGood: rejected === 0 };
}
