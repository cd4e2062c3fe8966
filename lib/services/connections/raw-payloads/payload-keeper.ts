import type { PulledProvider } from "../../../connectors/connector.ts";
import { MAPPER_VERSION } from "../../../connectors/mapper-version.ts";
import type { ProviderFetch, ProviderRequest } from "../../../connectors/provider-client.ts";
import { grants, putItem, putObject, updateItem } from "../../../contract/access.ts";
import { rawPayloadObjects, rawPayloads } from "../../../contract/resources.ts";
import { userKeyAccess } from "../../../contract/user-key-access.ts";
import type { RawPayload } from "../../../domain/connections/raw-payloads/raw-payload.ts";
import { redactSecrets } from "../../../domain/connections/raw-payloads/redact-secrets.ts";
import { MAX_PAYLOAD_BYTES, RAW_PAYLOAD_FEATURE } from "../../../domain/connections/raw-payloads/retention.ts";
import type { SampleBatch } from "../../../domain/ingest/batch.ts";
import type { Team } from "../../../domain/management/records.ts";
import { DAY_MS } from "../../../domain/shared/durations.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { UserKeyGone } from "../../../runtime/errors.ts";
import type { Log } from "../../../runtime/log.ts";
import { ports } from "../../../runtime/ports.ts";
import { createReceiptId } from "../../../store/ingest/receipt-id.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { StoredMapping } from "./stored-mapping.ts";

export type KeepPayloadsDependencies = Dependencies<"rawPayloads">;

/** Grants of {@link PayloadKeeper}. */
export const keepPayloadsAccess = grants(
  [putItem(rawPayloads), updateItem(rawPayloads), putObject(rawPayloadObjects)],
  userKeyAccess,
);

/** The connection whose payloads are kept. */
export interface ObservedConnection {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly connector: PulledProvider;
  readonly log: Log;
}

/** The pull that runs: its id, what it asks for, and what it has kept and mapped so far. */
interface RunningPull {
  readonly id: string;
  readonly resource: string | null;
  readonly target: RawPayload["target"];
  readonly batches: SampleBatch[];
  pages: number;
  firstId: string | undefined;
}

/** A body as received, and its request. */
interface Exchange {
  readonly url: string;
  readonly request: Pick<ProviderRequest, "method" | "body">;
  readonly token: string | undefined;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

/**
 * Keeps the responses that the pulls of a connection read, and what the connector made of them. A failure to keep one
 * fails the pull, which is repeated: otherwise a payload would be missing without notice. Beyond the bounds of a day
 * and of a body, it counts the payload instead.
 */
export class PayloadKeeper {
  readonly #deps: KeepPayloadsDependencies;
  readonly #about: ObservedConnection;
  readonly #keptMs: number;
  #pull: RunningPull | undefined;

  private constructor(deps: KeepPayloadsDependencies, about: ObservedConnection, keptDays: number) {
    this.#deps = deps;
    this.#about = about;
    this.#keptMs = keptDays * DAY_MS;
  }

  /** Returns a keeper if the team keeps payloads. */
  static of(
    deps: KeepPayloadsDependencies,
    team: Team | undefined,
    about: ObservedConnection,
  ): PayloadKeeper | undefined {
    if (!team?.features?.includes(RAW_PAYLOAD_FEATURE)) return undefined;
    return new PayloadKeeper(deps, about, team.settings.raw_payload_days);
  }

  /** Starts a pull, to which the following responses belong. Null names a push. */
  begin(resource: string | null, target: RawPayload["target"]): void {
    const id = createReceiptId(ports().clock.now(), ports().ids.bytes(4).toString("hex"));
    this.#pull = { id, resource, target, batches: [], pages: 0, firstId: undefined };
  }

  /** Returns a fetch that keeps each response that a connector reads: none that renews access or postpones the pull. */
  observe(fetch: ProviderFetch): ProviderFetch {
    return async (url, request) => {
      const response = await fetch(url, request);
      const { status, headers } = response;
      if (!this.#pull || status === 401 || status === 429 || status >= 500) return response;
      const body = new Uint8Array(await response.arrayBuffer());
      const token = request.headers.authorization?.replace(/^Bearer /, "");
      await this.#keep({ url, request, token, status, contentType: headers.get("content-type"), body });
      return new Response(body.length === 0 ? null : body, { status, headers });
    };
  }

  /** Keeps the body of a push. */
  keepPush(url: string, body: string, contentType: string | null): Promise<void> {
    const request = { method: "POST" };
    return this.#keep({ url, request, token: undefined, status: 200, contentType, body: Buffer.from(body) });
  }

  /** Adds what the connector made of the running pull. */
  addMapped(batch: SampleBatch): void {
    this.#pull?.batches.push(batch);
  }

  /** Stores what the connector made of the pull, and ends the pull. */
  async finish(): Promise<void> {
    const pull = this.#pull;
    this.#pull = undefined;
    if (!pull?.firstId) return;
    const { scope, user } = this.#about;
    const mapping: StoredMapping = { mapped_at: ports().clock.now(), batches: pull.batches };
    await this.#deps.rawPayloads.putMapping(scope, user.user_id, pull.firstId, JSON.stringify(mapping), MAPPER_VERSION);
  }

  async #keep(exchange: Exchange): Promise<void> {
    const pull = this.#pull;
    if (!pull) return;
    pull.pages++;
    const { scope, user } = this.#about;
    const { rawPayloads } = this.#deps;
    const nowMs = ports().clock.now();
    const day = new Date(nowMs).toISOString().slice(0, 10);
    const fits = exchange.body.length <= MAX_PAYLOAD_BYTES;
    const isKept = fits && (await rawPayloads.days.reservePlace(scope, user.user_id, day, nowMs));
    if (!isKept) return this.#skip(day, nowMs, fits ? "limit" : "size");
    const payload = this.#describe(pull, exchange, nowMs);
    try {
      await rawPayloads.put(scope, user.user_id, payload, redactBody(exchange), nowMs + this.#keptMs);
      pull.firstId ??= payload.payload_id;
    } catch (error) {
      // A user of an earlier version gets a key with the first stored batch, which must not wait for this payload.
      if (!(error instanceof UserKeyGone)) throw error;
      await this.#skip(day, nowMs, "key");
    }
  }

  async #skip(day: string, nowMs: number, reason: string): Promise<void> {
    const { scope, user, connector, log } = this.#about;
    log.warn("a payload of a provider was not kept", { provider: connector.slug, reason });
    await this.#deps.rawPayloads.days.countSkipped(scope, user.user_id, day, nowMs);
  }

  #describe(pull: RunningPull, exchange: Exchange, nowMs: number): Omit<RawPayload, "digest"> {
    const { connector, user } = this.#about;
    const { url, request, token, status, contentType, body } = exchange;
    const { target } = pull;
    return {
      payload_id: `${pull.id}.${String(pull.pages).padStart(4, "0")}`,
      provider: connector.slug,
      resource: pull.resource,
      target: target && "id" in target ? { id: redactSecrets(target.id) } : target,
      account_id: user.connections[connector.slug]?.external_user_id ?? null,
      method: request.method,
      url: redactSecrets(url, token),
      form: request.body === undefined ? null : redactSecrets(request.body, token),
      status,
      content_type: contentType,
      bytes: body.length,
      received_at: new Date(nowMs).toISOString(),
    };
  }
}

/** The body without secrets. Other content than text has none. */
function redactBody({ body, contentType, token }: Exchange): Uint8Array {
  if (!/json|text|xml|x-www-form-urlencoded/i.test(contentType ?? "json")) return body;
  return Buffer.from(redactSecrets(Buffer.from(body).toString("utf8"), token));
}
