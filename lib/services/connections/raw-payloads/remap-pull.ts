import { createHash } from "node:crypto";
import type { PulledProvider } from "../../../connectors/connector.ts";
import { MAPPER_VERSION } from "../../../connectors/mapper-version.ts";
import { ProviderError } from "../../../connectors/provider-error.ts";
import {
  getItem,
  getObject,
  grants,
  putItem,
  putObject,
  queryItems,
  sendMessage,
  updateItem,
} from "../../../contract/access.ts";
import { ingestion } from "../../../contract/queues.ts";
import { batches, rawPayloadObjects, rawPayloads, receipts } from "../../../contract/resources.ts";
import { userKeyAccess } from "../../../contract/user-key-access.ts";
import {
  addCounts,
  compareMappings,
  isDifferent,
  selectResources,
} from "../../../domain/connections/raw-payloads/compare-mappings.ts";
import type { RawPayload, StoredPayload } from "../../../domain/connections/raw-payloads/raw-payload.ts";
import { MAX_NAMED_RECEIPTS, type Remap } from "../../../domain/connections/raw-payloads/remap.ts";
import { acceptBatch } from "../../../domain/ingest/accept-batch.ts";
import { type SampleBatch, sampleBatch } from "../../../domain/ingest/batch.ts";
import { countItems } from "../../../domain/ingest/split-batch.ts";
import { storageUnits } from "../../../domain/usage/work-budget.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { createReceiptId } from "../../../store/ingest/receipt-id.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { sendBatch } from "../../ingest/queue-batch.ts";
import type { TeamBudget } from "../../usage/team-budget.ts";
import { PayloadMissing, replayPull } from "./replay-pull.ts";
import { type StoredMapping, storedMapping } from "./stored-mapping.ts";

export type RemapPullDependencies = Dependencies<"rawPayloads" | "receipts" | "ingestion" | "batches">;

/** Grants of {@link remapPull}. */
export const remapPullAccess = grants(
  [getItem(rawPayloads), queryItems(rawPayloads), updateItem(rawPayloads)],
  [getObject(rawPayloadObjects), putObject(rawPayloadObjects)],
  userKeyAccess,
  [putItem(receipts), sendMessage(ingestion), putObject(batches)],
);

/** The user and the connector of a remap. */
export interface RemapContext {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly connector: PulledProvider;
  readonly budget: TeamBudget;
}

/** A pull in progress is left out: it ends within this time, and today's mapper reads it. */
const MAX_PULL_MS = 15 * 60_000;

/**
 * Maps one kept pull again, and unless the remap is a dry run, sends what differs to storage. Repeatable. The new
 * receipts are a moment younger than the pull, so data received later stays as it is.
 * @returns the remap with the counts of this pull.
 */
export async function remapPull(
  deps: RemapPullDependencies,
  context: RemapContext,
  job: Remap,
  pullId: string,
): Promise<Remap> {
  const { scope, user } = context;
  const payloads = await deps.rawPayloads.listPayloads(scope, user.user_id, pullId);
  const kept = await readMapping(deps, context, payloads, pullId);
  if (!kept) return job;
  const before = kept.replaced?.remap_id === job.id ? kept.replaced : kept;
  const { batches: after, isWhole } = await mapAgain(deps, context, payloads, before.mapped_at);
  const counted: Remap = { ...job, pulls: job.pulls + 1, incomplete: job.incomplete + (isWhole ? 0 : 1) };
  // What a missing payload would have given is not gone.
  if (!isWhole) return counted;
  const { counts, deletions } = compareMappings(before.batches, after);
  const differing = Object.entries(counts).flatMap(([name, of]) => (isDifferent(of) ? [name] : []));
  const touched = new Set([...job.touched, ...differing]);
  const next: Remap = { ...counted, resources: addCounts(job.resources, counts), touched: [...touched] };
  if (job.dry_run || touched.size === 0) return next;
  const batches = [...deletions, ...after.map((batch) => selectResources(batch, touched))];
  const sent = await sendAll(deps, context, job, { pullId, mappedAt: before.mapped_at, batches });
  if (sent.length > 0) {
    const replaced = { remap_id: job.id, mapped_at: before.mapped_at, batches: before.batches };
    // The next remap must be younger than this one.
    const mapping: StoredMapping = { mapped_at: before.mapped_at + batches.length, batches: after, replaced };
    const firstId = payloads[0]?.payload_id ?? "";
    await deps.rawPayloads.putMapping(scope, user.user_id, firstId, JSON.stringify(mapping), MAPPER_VERSION);
  }
  return { ...next, receipt_ids: [...job.receipt_ids, ...sent].slice(0, MAX_NAMED_RECEIPTS) };
}

/** Returns what was made of the payloads of a pull; an empty mapping if the pull broke off, undefined while it runs. */
async function readMapping(
  { rawPayloads }: RemapPullDependencies,
  { scope, user }: RemapContext,
  payloads: readonly StoredPayload[],
  pullId: string,
): Promise<StoredMapping | undefined> {
  if (payloads.some(({ mapper_version }) => mapper_version !== undefined))
    return storedMapping.parse(JSON.parse(await rawPayloads.readMapping(scope, user.user_id, pullId)));
  const mapped_at = Date.parse(payloads.at(-1)?.received_at ?? "");
  return mapped_at <= ports().clock.now() - MAX_PULL_MS ? { mapped_at, batches: [] } : undefined;
}

/** Maps the payloads of a pull with today's mapper. A pull that the provider ended is whole as far as it went. */
async function mapAgain(
  { rawPayloads }: RemapPullDependencies,
  { scope, user, connector }: RemapContext,
  payloads: readonly StoredPayload[],
  mappedAt: number,
): Promise<{ batches: SampleBatch[]; isWhole: boolean }> {
  const readBody = (payload: RawPayload) => rawPayloads.readBody(scope, user.user_id, payload);
  const mapped: SampleBatch[] = [];
  try {
    for await (const batch of replayPull(connector, { payloads, readBody })) {
      const { source_type, device_id = null, app_id = null, resources } = batch;
      const raw = { provider: connector.slug, source_type, device_id, app_id, stage: "daily", resources } as const;
      // As a queue message or a kept mapping has it.
      mapped.push(sampleBatch.parse(JSON.parse(JSON.stringify(acceptBatch(raw, user, mappedAt).batch))));
    }
    return { batches: mapped, isWhole: true };
  } catch (error) {
    if (error instanceof PayloadMissing) return { batches: mapped, isWhole: false };
    if (error instanceof ProviderError) return { batches: mapped, isWhole: true };
    throw error;
  }
}

/** The batches that a remap sends for one pull. */
interface Remapped {
  readonly pullId: string;
  readonly mappedAt: number;
  readonly batches: readonly SampleBatch[];
}

/** Sends batches under receipts that derive from remap and pull, so that a repetition sends the same ones. */
async function sendAll(
  deps: RemapPullDependencies,
  { scope, user, budget }: RemapContext,
  job: Remap,
  { pullId, mappedAt, batches }: Remapped,
): Promise<string[]> {
  const ids: string[] = [];
  for (const [place, given] of batches.entries()) {
    const records = [given.samples, given.summaries, given.streams].flatMap((lists) => Object.values(lists).flat());
    if (records.length === 0) continue;
    const batch: SampleBatch = { ...given, stage: "daily", is_final: true, remap_id: job.id };
    const random = createHash("sha256").update(`${job.id}/${pullId}/${place}`).digest("hex").slice(0, 16);
    const receivedAt = mappedAt + 1 + place;
    const id = createReceiptId(receivedAt, random);
    await budget.record(storageUnits(countItems(batch), records.length));
    const open = () => deps.receipts.open(scope, user.user_id, id, [], isoNow(), job.id);
    await sendBatch(deps, scope, user.user_id, batch, { id, receivedAt, open });
    ids.push(id);
  }
  return ids;
}
