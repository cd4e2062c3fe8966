import type { ClientCredentials } from "../../../connectors/client-credentials.ts";
import type { PulledBatch, PulledProvider } from "../../../connectors/connector.ts";
import { ProviderClient, type ProviderFetch } from "../../../connectors/provider-client.ts";
import type { RawPayload } from "../../../domain/connections/raw-payloads/raw-payload.ts";
import { REDACTED, redactSecrets } from "../../../domain/connections/raw-payloads/redact-secrets.ts";
import { pullBatches } from "../pulls/pull-batches.ts";

/** A mapper reads a response that is not kept. */
export class PayloadMissing extends Error {}

/** The kept payloads of one pull or push, in order, and a read of their bodies. */
export interface StoredPull {
  readonly payloads: readonly RawPayload[];
  readonly readBody: (payload: RawPayload) => Promise<Buffer>;
}

/**
 * Maps kept payloads again with the connector of today: it repeats its requests, and gets the kept responses.
 * @throws PayloadMissing if it requests something that is not kept; ProviderError as the pull did.
 */
export async function* replayPull(connector: PulledProvider, pull: StoredPull): AsyncGenerator<PulledBatch> {
  const [first] = pull.payloads;
  if (!first) return;
  if (first.target === null) return yield* replayPush(connector, pull, first);
  const { retryAt, statusFromBody, tokenPlace } = connector;
  const client = new ProviderClient({
    fetch: createReplay(pull),
    accessToken: async () => REDACTED,
    app: async () => redactedApp,
    now: () => Date.parse(first.received_at),
    retryAt,
    statusFromBody,
    tokenPlace,
    accountId: first.account_id ?? undefined,
  });
  yield* pullBatches(connector, first.resource ?? "", first.target, client);
}

/** The application as it is in the addresses of kept payloads. Any key has a value. */
const redactedApp: ClientCredentials = {
  clientId: REDACTED,
  clientSecret: REDACTED,
  keys: new Proxy({}, { get: () => REDACTED }),
};

/** A fetch that answers each request with the next kept response to it, and again with the last one. */
function createReplay({ payloads, readBody }: StoredPull): ProviderFetch {
  const left = new Map<string, RawPayload[]>();
  for (const payload of payloads) {
    const key = requestKey(payload.method, payload.url, payload.form);
    left.set(key, [...(left.get(key) ?? []), payload]);
  }
  return async (url, { method, body }) => {
    const known = left.get(requestKey(method, redactSecrets(url), body === undefined ? null : redactSecrets(body)));
    const payload = known && known.length > 1 ? known.shift() : known?.[0];
    if (!payload) throw new PayloadMissing("a response that the mapper reads is not kept");
    const { status, content_type } = payload;
    const content = new Uint8Array(await readBody(payload));
    const headers = content_type === null ? {} : { "content-type": content_type };
    return new Response(content.length === 0 ? null : content, { status, headers });
  };
}

const requestKey = (method: string, url: string, form: string | null) => JSON.stringify([method, url, form]);

async function* replayPush(connector: PulledProvider, { readBody }: StoredPull, payload: RawPayload) {
  const body = (await readBody(payload)).toString("utf8");
  const request = { method: "POST", headers: {}, query: new URLSearchParams(), body } as const;
  for (const { accountId, batch } of connector.push?.parse(request) ?? []) {
    if (batch && accountId === payload.account_id) yield batch;
  }
}
