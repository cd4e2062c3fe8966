import { connectorSlugs, findConnector } from "../lib/connectors/connectors.ts";
import { ProviderClient } from "../lib/connectors/provider-client.ts";
import { ProviderError } from "../lib/connectors/provider-error.ts";
import { acceptBatch } from "../lib/domain/ingest/accept-batch.ts";
import { newUser } from "../lib/domain/users/user.ts";

/** Two days of data are enough to check the format of responses. */
const SPAN_MS = 2 * 86_400_000;

const tokenVariable = (slug: string) => `LIVE_${slug.toUpperCase()}_ACCESS_TOKEN`;
/** The provider's id of the user, which some URLs contain. */
const readAccountId = (slug: string) => process.env[`LIVE_${slug.toUpperCase()}_ACCOUNT_ID`];
const user = newUser({ client_user_id: "live" }, { userId: "live", teamId: "live" }, new Date().toISOString());

/** Pulls every resource of a provider from its live service. @returns whether all records were accepted. */
async function smokeTestProvider(slug: string, token: string): Promise<boolean> {
  const connector = await findConnector(slug);
  if (!connector) return false;
  if (connector.isPushOnly) {
    console.log(`${slug}: only pushes data and cannot be pulled; connect an account instead.`);
    return true;
  }
  const { retryAt, statusFromBody } = connector;
  const accessToken = async () => token;
  const send = (url: string, request: RequestInit) => fetch(url, { ...request, redirect: "manual" });
  const client = new ProviderClient({
    fetch: send,
    accessToken,
    now: Date.now,
    retryAt,
    statusFromBody,
    accountId: readAccountId(slug),
  });
  let isGood = true;
  for (const { name } of connector.resources) {
    const endMs = Date.now();
    let [accepted, rejected] = [0, 0];
    try {
      for await (const batch of connector.pull(name, { startMs: endMs - SPAN_MS, endMs }, client)) {
        const { device_id = null, app_id = null, ...rest } = batch;
        const raw = { provider: slug, stage: "daily" as const, ...rest, device_id, app_id };
        const judged = acceptBatch(raw, user, endMs);
        accepted += judged.accepted;
        rejected += judged.rejected.length;
      }
      console.log(`${slug} ${name}: ${accepted} records accepted, ${rejected} rejected`);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      console.log(`${slug} ${name}: ${error.message}`);
      isGood = false;
    }
    isGood &&= rejected === 0;
  }
  return isGood;
}

const tokens = connectorSlugs.map((slug) => [slug, process.env[tokenVariable(slug)]] as const);
if (tokens.every(([, token]) => !token))
  console.log(`No access token is set: set for example ${tokenVariable("oura")}.`);
for (const [slug, token] of tokens) if (token && !(await smokeTestProvider(slug, token))) process.exitCode = 1;
