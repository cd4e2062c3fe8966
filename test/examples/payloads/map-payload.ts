import type { PulledBatch, PulledProvider, Push } from "../../../lib/connectors/connector.ts";
import { findPulledProvider } from "../../../lib/connectors/connectors.ts";
import { ProviderClient } from "../../../lib/connectors/provider-client.ts";
import type { ReportedField } from "../../../lib/connectors/tolerant-reader.ts";
import { acceptBatch } from "../../../lib/domain/ingest/accept-batch.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { APP_KEYS } from "../../../lib/simulators/providers/base/application.ts";
import type { MappedRecord, NamedPayload } from "./published-payload.ts";

const NOW_MS = Date.UTC(2026, 4, 20, 12);
const DEFAULT_WINDOW = ["2026-05-09T00:00:00Z", "2026-05-12T00:00:00Z"] as const;
/** More requests than any payload needs. */
const MAX_REQUESTS = 50;
const user = newUser({ client_user_id: "ada" }, { userId: "user", teamId: "team" }, "2026-01-01T00:00:00.000Z");

/** What the service would store of a payload, and what it would report. */
export interface MappedPayload {
  readonly records: Readonly<Record<string, readonly MappedRecord[]>>;
  readonly pushes: readonly MappedRecord[];
  /** Names of fields that the connector dropped. */
  readonly dropped: readonly string[];
  /** Names of absent fields because of which it dropped others. */
  readonly missing: readonly string[];
  /** Records and fields that the service refused. */
  readonly rejected: readonly string[];
  readonly error?: Error;
}

/** Gives a payload to its connector. Errors of the pull are part of the result. */
export async function mapPayload(payload: NamedPayload): Promise<MappedPayload> {
  const connector = (await findPulledProvider(payload.provider)) as PulledProvider;
  const reported: ReportedField[] = [];
  const batches: PulledBatch[] = [];
  const pushes: Push[] = [];
  let error: Error | undefined;
  try {
    if (payload.push === undefined) {
      for await (const batch of pullPayload(connector, payload, reported)) batches.push(batch);
    } else pushes.push(...parsePush(connector, payload.push, reported));
  } catch (caught) {
    error = caught as Error;
  }
  batches.push(...pushes.flatMap(({ batch }) => (batch ? [batch] : [])));
  const notifications = pushes.filter(({ batch }) => !batch).map(toMappedPush);
  return {
    ...acceptBatches(payload.provider, batches),
    pushes: notifications,
    dropped: reported.map(({ field }) => field),
    missing: reported.flatMap(({ missing }) => missing ?? []),
    ...(error ? { error } : {}),
  };
}

function pullPayload(connector: PulledProvider, payload: NamedPayload, reported: ReportedField[]) {
  let requests = 0;
  const client = new ProviderClient({
    fetch: async (url, { body }) => {
      if (++requests > MAX_REQUESTS) throw new Error("the pull does not end");
      return toResponse(findReply(payload.replies ?? {}, url, body));
    },
    accessToken: async () => "token",
    now: () => NOW_MS,
    retryAt: connector.retryAt,
    statusFromBody: connector.statusFromBody,
    tokenPlace: connector.tokenPlace,
    accountId: "475",
    app: async () => ({ clientId: "client", clientSecret: "secret", keys: APP_KEYS }),
    onDropped: (fields) => reported.push(...fields),
  });
  if (payload.id !== undefined) return connector.pullOne!(payload.resource ?? "", payload.id, client);
  const [startMs, endMs] = (payload.window ?? DEFAULT_WINDOW).map((time) => Date.parse(time));
  return connector.pull(payload.resource ?? "", { startMs: startMs!, endMs: endMs! }, client);
}

function parsePush(connector: PulledProvider, body: unknown, reported: ReportedField[]): readonly Push[] {
  const request = { method: "POST", headers: {}, query: new URLSearchParams() } as const;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return connector.push!.parse({ ...request, body: text }, (fields) => reported.push(...fields));
}

/** Finds the reply whose path matches and that names the most of the request's parameters. */
function findReply(replies: Readonly<Record<string, unknown>>, url: string, form = ""): unknown {
  const { pathname, searchParams } = new URL(url);
  const sent = new Map([...searchParams, ...new URLSearchParams(form)]);
  const fitting = Object.entries(replies).flatMap(([key, reply]) => {
    const [path, query] = key.split("?");
    const wanted = [...new URLSearchParams(query)];
    return path === pathname && isPageOf(wanted, sent) && wanted.every(([name, value]) => sent.get(name) === value)
      ? [{ weight: wanted.length, reply }]
      : [];
  });
  const [found] = fitting.toSorted((one, other) => other.weight - one.weight);
  return found ? found.reply : { $status: 404, $body: {} };
}

/** Parameters that name a later page. */
const PAGE = /^(?:nextToken|next_token|pageToken|offset|page)$/;

/** Whether the parameters of a reply name the page that a request names. */
const isPageOf = (wanted: readonly (readonly [string, string])[], sent: ReadonlyMap<string, string>) =>
  [...sent].every(
    ([name, value]) =>
      !PAGE.test(name) || (name === "page" && value === "1") || wanted.some(([other]) => other === name),
  );

/**
 * A reply with `$status` is an HTTP response, with `$base64` of a file; any other one is the JSON body of a successful
 * response.
 */
function toResponse(reply: unknown): Response {
  const { $status: status, $headers: headers, $body: body, $base64: bytes } = Object(reply);
  if (status === undefined) return Response.json(reply);
  if (bytes !== undefined) return new Response(Buffer.from(bytes, "base64"), { status, headers });
  return body === undefined ? new Response(null, { status, headers }) : Response.json(body, { status, headers });
}

function acceptBatches(provider: string, batches: readonly PulledBatch[]) {
  const records: Record<string, MappedRecord[]> = {};
  const rejected: string[] = [];
  const add = (resource: string, record: MappedRecord) => {
    records[resource] ??= [];
    records[resource].push(record);
  };
  for (const { source_type, device_id = null, app_id = null, resources } of batches) {
    const from = { source_type, device_id, app_id };
    const accepted = acceptBatch({ provider, ...from, stage: "daily", resources }, user, NOW_MS);
    rejected.push(...accepted.rejected.map(({ resource, effect, field }) => `${effect} ${resource} ${field}`));
    const { samples, summaries, streams } = accepted.batch;
    for (const [name, all] of Object.entries(samples))
      for (const { start, end, offsetS: timezone_offset, fields, ...one } of all) {
        const times = { timestamp: iso(start), ...(end === undefined ? {} : { end: iso(end) }) };
        add(name, { ...from, ...times, timezone_offset, ...one, ...fields });
      }
    for (const [name, all] of Object.entries(summaries))
      for (const { fields, providerId: provider_id } of all) add(name, { ...from, ...fields, provider_id });
    for (const [name, all] of Object.entries(streams))
      for (const { content, providerId: provider_id } of all) add(name, { ...from, ...content, provider_id });
  }
  return { records, rejected };
}

const iso = (ms: number) => new Date(ms).toISOString();

function toMappedPush({ accountId, changed, isRevoked }: Push): MappedRecord {
  const about = { accountId, ...(isRevoked ? { isRevoked } : {}) };
  if (!changed) return about;
  const window = "window" in changed ? { start: iso(changed.window.startMs), end: iso(changed.window.endMs) } : {};
  const id = "id" in changed ? { id: changed.id } : {};
  return { ...about, resource: changed.resource, ...id, ...window };
}
