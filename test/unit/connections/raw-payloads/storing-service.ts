import { directoryTable, eventTable, sampleTable, summaryTable } from "../../../../lib/contract/resources.ts";
import type { Remap } from "../../../../lib/domain/connections/raw-payloads/remap.ts";
import { RAW_PAYLOAD_FEATURE } from "../../../../lib/domain/connections/raw-payloads/retention.ts";
import type { BatchMessage } from "../../../../lib/domain/ingest/batch.ts";
import { teamRecord } from "../../../../lib/domain/management/records.ts";
import { allTime } from "../../../../lib/domain/shared/date-range.ts";
import { streamKinds } from "../../../../lib/domain/summaries/streams/stream-kinds.ts";
import { summaryKinds } from "../../../../lib/domain/summaries/summary-kinds.ts";
import { sampleAt } from "../../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import type { Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { timeseriesResources } from "../../../../lib/domain/timeseries/resources.ts";
import { newUser, type UserRecord } from "../../../../lib/domain/users/user.ts";
import { openTable } from "../../../../lib/runtime/aws/aws.ts";
import { Log } from "../../../../lib/runtime/log.ts";
import { isoNow, ports } from "../../../../lib/runtime/ports.ts";
import {
  type RunRemapStepDependencies,
  runRemapStep,
} from "../../../../lib/services/connections/raw-payloads/run-remap-step.ts";
import { loadBatch } from "../../../../lib/services/ingest/queue-batch.ts";
import { createBatchContext, storeBatchContent } from "../../../../lib/services/ingest/store-batch.ts";
import { tallyOutcome } from "../../../../lib/services/ingest/tally-batch.ts";
import { RawPayloadStore } from "../../../../lib/store/connections/raw-payloads.ts";
import { RemapStore } from "../../../../lib/store/connections/remaps.ts";
import type { DestinationStore } from "../../../../lib/store/forwarding/destinations.ts";
import { ReceiptStore } from "../../../../lib/store/ingest/receipts.ts";
import { StreamStore } from "../../../../lib/store/summaries/streams.ts";
import { SummaryStore } from "../../../../lib/store/summaries/summaries.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { ChunkStore } from "../../../../lib/store/timeseries/chunks.ts";
import { createUserCiphers } from "../../../support/user-ciphers.ts";
import { MemoryObjects } from "./memory-objects.ts";

export const scope = TeamScope.grant("team");
export const log = new Log({});
export const keepingTeam = teamRecord.parse({
  ...{ team_id: "team", org_id: "org", name: "Team", region: "us", created_on: "2026-01-01T00:00:00.000Z" },
  features: [RAW_PAYLOAD_FEATURE],
});
/** A budget without a limit. */
const budget = { teams: { get: async () => ({ limits: { work_per_second: 0 } }) }, usage: {} };

/** A stored sample with its source. */
type StoredSampleRow = Sample & { provider: string; sourceType: string; deviceId: string | null };

/** The stores of the service over the real database, and queues whose messages a test consumes. */
export class StoringService {
  readonly #users = new Map<string, UserRecord>();
  readonly batchMessages: BatchMessage[] = [];
  readonly steps: { user_id: string; remap_id: string; step: number }[] = [];
  readonly ciphers = createUserCiphers();
  readonly objects = new MemoryObjects();
  readonly receipts = new ReceiptStore(openTable(eventTable));
  readonly chunks = new ChunkStore(openTable(sampleTable), this.ciphers);
  readonly summaries = new SummaryStore(openTable(summaryTable), this.ciphers);
  readonly streams = new StreamStore(openTable(summaryTable), new MemoryObjects(), this.ciphers);
  readonly rawPayloads = new RawPayloadStore(openTable(directoryTable), () => this.objects, this.ciphers);
  readonly remaps = new RemapStore(openTable(directoryTable));
  readonly batches = new MemoryObjects();
  readonly ingestion = { send: async (message: BatchMessage) => void this.batchMessages.push(message) };
  readonly bulkWork = { send: async (step: StoringService["steps"][number]) => void this.steps.push(step) };
  readonly users = { get: async (_: TeamScope, userId: string) => this.#users.get(userId) };

  /** The dependencies of services, with a budget that never runs out. */
  get deps() {
    return Object.assign(Object.create(this), budget) as StoringService & RunRemapStepDependencies;
  }

  addUser(userId: string, slug: string, accountId: string): UserRecord {
    const created = "2026-01-01T00:00:00.000Z";
    const made = newUser({ client_user_id: userId }, { userId, teamId: "team" }, created);
    const connection = { created_on: created, status: "connected", external_user_id: accountId } as const;
    const user = { ...made, connections: { [slug]: connection } };
    this.#users.set(userId, user);
    return user;
  }

  /** Stores all queued batches, the last first if `reversed`. */
  async storeAll({ reversed = false } = {}): Promise<void> {
    const waiting = this.batchMessages.splice(0);
    for (const message of reversed ? waiting.toReversed() : waiting) await this.#store(message);
  }

  async #store(message: BatchMessage): Promise<void> {
    const user = this.#users.get(message.user_id);
    if (!user) return;
    const batch = await loadBatch(message.content, this.batches as never);
    const destinations = { get: async () => undefined } as unknown as DestinationStore;
    const context = await createBatchContext({ receipts: this.receipts, destinations }, scope, user, message, batch);
    const results = await storeBatchContent(this, context);
    const closing = { outcome: tallyOutcome(results), refused: [] };
    await this.receipts.close(scope, user.user_id, message.receipt_id, closing, isoNow());
  }

  /** Runs a remap to its end. @param repeats how often each step is delivered. */
  async remap(userId: string, provider: string, dryRun: boolean, repeats = 1): Promise<Remap> {
    const now = isoNow();
    const job: Remap = {
      ...{ id: ports().ids.uuid(), team_id: "team", user_id: userId, status: "running", provider, resource: null },
      ...{ received_since: null, dry_run: dryRun, started_at: now, updated_at: now, receipt_ids: [] },
      ...{ step: 0, after: null, touched: [], pulls: 0, incomplete: 0, resources: {} },
    };
    await this.remaps.start(scope, job);
    const first = { user_id: userId, remap_id: job.id, step: 0 };
    for (let next: typeof first | undefined = first; next; next = this.steps.shift()) {
      for (let run = 0; run < repeats; run++) {
        const message = { userId, remapId: next.remap_id, step: next.step, isRedelivered: false };
        await runRemapStep(this.deps, scope, message, log);
      }
    }
    return (await this.remaps.get(scope, userId)) as Remap;
  }

  /** Everything that is stored of a user's data, without its receipts. */
  async stored(userId: string) {
    const samples: Record<string, StoredSampleRow[]> = {};
    for (const resource of timeseriesResources) {
      for await (const slice of this.chunks.read(scope, userId, resource, { range: allTime })) {
        const { provider, sourceType, deviceId, columns, from, to } = slice;
        for (let at = from; at < to; at++) {
          const { run: _, ...sample } = sampleAt(columns, at);
          samples[resource.name] = [...(samples[resource.name] ?? []), { provider, sourceType, deviceId, ...sample }];
        }
      }
    }
    const summaries: Record<string, object[]> = {};
    for (const kind of summaryKinds) {
      for await (const one of this.summaries.iterate(scope, userId, kind)) {
        // The service's own id of a night differs between users.
        const { sleep_id: _, ...fields } = one.fields;
        const { source_type, device_id, provider_id } = one;
        // A profile has the day of its receipt.
        const day = kind.name === "profile" ? null : one.day;
        const key = { source_type, device_id, provider_id, day, fields };
        summaries[kind.name] = [...(summaries[kind.name] ?? []), key];
      }
    }
    return { samples, summaries, streams: await this.#storedStreams(userId, summaries) };
  }

  async #storedStreams(userId: string, summaries: Record<string, object[]>) {
    const found: Record<string, unknown> = {};
    for (const kind of streamKinds) {
      for (const one of Object.values(summaries).flat() as { source_type: string; provider_id: string | null }[]) {
        const provider = Object.keys(this.#users.get(userId)?.connections ?? {})[0] ?? "";
        const key = { userId, kind, provider, sourceType: one.source_type, providerId: one.provider_id ?? "" };
        const text = one.provider_id && (await this.streams.read(scope, key));
        if (text) found[`${kind.name} ${one.provider_id}`] = JSON.parse(text);
      }
    }
    return found;
  }
}
