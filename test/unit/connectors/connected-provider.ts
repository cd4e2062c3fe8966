import { expect, vi } from "vitest";
import type { Connector, PulledBatch, TimeWindow, TokenResponse } from "../../../lib/connectors/connector.ts";
import { findConnector } from "../../../lib/connectors/connectors.ts";
import { buildAuthorizationUrl, exchangeCode, refreshTokens } from "../../../lib/connectors/oauth.ts";
import { ProviderClient, type ProviderFetch } from "../../../lib/connectors/provider-client.ts";
import { AccessEnded } from "../../../lib/connectors/provider-error.ts";
import { acceptBatch } from "../../../lib/domain/ingest/accept-batch.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { APP_KEYS } from "../../../lib/simulators/providers/base/application.ts";
import { startSimulatedProviders } from "../simulators/providers/simulated-providers.ts";

export const DAY_MS = 86_400_000;
export const oauthApp = { clientId: "tributary-local", clientSecret: "tributary-local-secret", keys: APP_KEYS };

type Row = Readonly<Record<string, unknown>>;

/** Wires a connector to its simulated provider without a network, at 12:00 UTC on 2026-05-20. */
export async function connectProvider(slug: string) {
  const world = startSimulatedProviders();
  const connector = (await findConnector(slug)) as Connector;
  const provider = world.server.provider(slug);
  const redirectUri = world.callback(slug);
  const user = newUser({ client_user_id: "ada" }, { userId: "user", teamId: "team" }, "2026-01-01T00:00:00.000Z");
  let tokens: TokenResponse;
  let refreshes = 0;
  let accountId: string | undefined;

  const fetch: ProviderFetch = async (url, { method, headers, body = "" }) => {
    const { host, pathname, searchParams } = new URL(url);
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const request = { method, host, path: pathname, query: searchParams, headers: named, body };
    const reply = await world.server.answer(request);
    const isEmpty = reply.body === undefined || reply.status === 204;
    const { status, headers: given } = reply;
    if (isEmpty) return new Response(null, { status, headers: { ...given } });
    if (Buffer.isBuffer(reply.body)) return new Response(new Uint8Array(reply.body), { status, headers: { ...given } });
    if (typeof reply.body === "string") return new Response(reply.body, { status, headers: { ...given } });
    return Response.json(reply.body, { status, headers: { ...given } });
  };
  const request = { app: oauthApp, redirectUri, fetch };

  /** Sets the date of the process meanwhile: ID tokens expire by it. */
  async function atSimulatedTime<T>(work: () => Promise<T>): Promise<T> {
    vi.useFakeTimers({ toFake: ["Date"], now: world.clock.now() });
    try {
      return await work();
    } finally {
      vi.useRealTimers();
    }
  }

  /** Connects an account with the authorization code flow. @param without scopes that the user does not grant. */
  async function connect(account = "ada", without: readonly string[] = []): Promise<string> {
    const { oauth } = connector;
    const [state, codeVerifier] = ["state-123456", oauth.pkce ? "verifier".repeat(6) : undefined];
    const asked = { clientId: oauthApp.clientId, redirectUri, scopes: oauth.scopes, state, codeVerifier };
    const page = new URL(buildAuthorizationUrl(oauth, asked));
    const query = { ...Object.fromEntries(page.searchParams), account, without: without.join() };
    const redirect = await world.consent(`${page.host}${page.pathname}`, slug, query);
    tokens = await atSimulatedTime(() => exchangeCode(oauth, request, redirect, { state, codeVerifier }));
    accountId = await oauth.fetchAccountId(tokens, client);
    return accountId;
  }

  async function accessToken(refused?: string): Promise<string> {
    if (refused === undefined) return tokens.access_token;
    if (typeof tokens.refresh_token !== "string") throw new AccessEnded("access can not be renewed");
    refreshes++;
    const { refresh_token } = tokens;
    const fresh = await atSimulatedTime(() => refreshTokens(connector.oauth, request, refresh_token));
    tokens = { ...tokens, ...fresh };
    return tokens.access_token;
  }
  const { retryAt, statusFromBody, tokenPlace } = connector;
  const how = { retryAt, statusFromBody, tokenPlace };
  const options = { fetch, accessToken, app: async () => oauthApp, now: world.clock.now, ...how };
  const client = new ProviderClient({
    ...options,
    get accountId() {
      return accountId;
    },
  });

  /** Pulls all windows of a resource and returns the records that the service would store. */
  async function pull(name: string, { startMs, endMs }: TimeWindow): Promise<StoredRecords> {
    const kept = new StoredRecords();
    const { windowDays } = connector.resources.find((one) => one.name === name) ?? { windowDays: 1 };
    for (let from = startMs; from < endMs; from += windowDays * DAY_MS) {
      const window = { startMs: from, endMs: Math.min(endMs, from + windowDays * DAY_MS) };
      for await (const batch of connector.pull(name, window, client)) keep(kept, batch);
    }
    return kept;
  }

  /** Pulls the one record that a push names. */
  async function pullOne(name: string, id: string): Promise<StoredRecords> {
    const kept = new StoredRecords();
    for await (const batch of connector.pullOne?.(name, id, client) ?? []) keep(kept, batch);
    return kept;
  }

  function keep(kept: StoredRecords, { source_type, resources }: PulledBatch): void {
    const raw = { provider: slug, source_type, device_id: null, stage: "daily" as const, resources };
    const { batch, rejected } = acceptBatch(raw, user, world.clock.now());
    expect(rejected).toEqual([]);
    kept.add(batch);
  }

  return {
    ...world,
    connector,
    provider,
    client,
    request,
    accessToken,
    connect,
    pull,
    pullOne,
    refreshes: () => refreshes,
    tokens: () => tokens,
  };
}

type Accepted = ReturnType<typeof acceptBatch>["batch"];

/** The records that the service would store, the latest per key. */
export class StoredRecords {
  readonly #summaries = new Map<string, Map<string, Row>>();
  readonly #samples = new Map<string, Map<string, Row>>();
  readonly #streams = new Map<string, Map<string, Row>>();

  add({ summaries, samples, streams }: Accepted): void {
    for (const [name, all] of Object.entries(summaries))
      for (const { key, providerId, fields } of all) mapOf(this.#summaries, name).set(key, { ...fields, providerId });
    for (const [name, all] of Object.entries(samples))
      for (const one of all) mapOf(this.#samples, name).set(`${one.start} ${one.subtype ?? ""}`, { ...one });
    for (const [name, all] of Object.entries(streams))
      for (const { providerId, content } of all) mapOf(this.#streams, name).set(providerId, content);
  }

  summaries(name: string): Row[] {
    return [...mapOf(this.#summaries, name).values()];
  }

  /** Samples in order of time; times in epoch milliseconds. */
  samples(name: string): Row[] {
    return [...mapOf(this.#samples, name).values()].toSorted((one, other) => Number(one.start) - Number(other.start));
  }

  /** The stream of the workout or sleep with this provider id. */
  stream(name: string, providerId: string): Row | undefined {
    return mapOf(this.#streams, name).get(providerId);
  }
}

function mapOf(maps: Map<string, Map<string, Row>>, name: string): Map<string, Row> {
  const found = maps.get(name) ?? new Map<string, Row>();
  maps.set(name, found);
  return found;
}

/** Pairs stored records with expected records by key, reduced to the expected fields. */
export function compareWithExpected(kept: readonly Row[], truth: readonly Row[] | undefined, key: string) {
  const byKey = new Map(kept.map((one) => [comparable(one[key]), one]));
  const found = (truth ?? []).map((right) => {
    const one = byKey.get(comparable(right[key])) ?? {};
    const names = Object.keys(right).map(
      (name) => [name, name === "provider_id" ? one.providerId : one[name]] as const,
    );
    return Object.fromEntries(names.map(([name, value]) => [name, comparable(value, right[name])]));
  });
  return { found, right: (truth ?? []).map((one) => mapped(one)) };
}

const mapped = (one: Row) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, comparable(value)]));

/** Normalizes instants, rounds numbers to 6 decimals and reduces objects to the expected fields. */
function comparable(value: unknown, right: unknown = value): unknown {
  if (typeof value === "number") return Number(value.toFixed(6));
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) return new Date(value).toISOString();
  const isRecord = value !== null && typeof value === "object" && !Array.isArray(value);
  if (!isRecord || right === null || typeof right !== "object") return value;
  return Object.fromEntries(Object.keys(right).map((name) => [name, comparable((value as Row)[name])]));
}

/** Expected samples as pairs of start (epoch ms) and value. */
export const expectedSamples = (truth: readonly Row[] | undefined) =>
  (truth ?? []).map(({ timestamp, start, value }) => [Date.parse(String(timestamp ?? start)), comparable(value)]);

/** Stored samples as pairs of start and value, comparable with {@link expectedSamples}. */
export const storedSamples = (kept: readonly Row[]) => kept.map(({ start, value }) => [start, comparable(value)]);
