import type { PulledBatch, PulledProvider, TimeWindow } from "../../../connectors/connector.ts";
import type { ProviderClient } from "../../../connectors/provider-client.ts";
import { type ProviderError, ProviderRefused, UnreadableAnswer } from "../../../connectors/provider-error.ts";
import type { ReportedField } from "../../../connectors/tolerant-reader.ts";
import type { Refusal } from "../../../domain/ingest/refusal.ts";
import type { Rejection } from "../../../domain/ingest/rejection.ts";
import type { Log } from "../../../runtime/log.ts";
import type { PayloadKeeper } from "../raw-payloads/payload-keeper.ts";
import { SchemaDriftReporter } from "./schema-drift-reporter.ts";

/** Target of a pull: a time window, or one record by its id at the provider. */
export type PullTarget = { readonly window: TimeWindow } | { readonly id: string };

/**
 * Pulls the batches of a resource. Maps unreadable data to `UnreadableAnswer`, so that it fails only this part of a
 * pull. Passes errors of this service's own dependencies through.
 * @param keeper keeps the responses and, as far as the caller accepts them, the batches.
 * @throws ProviderError.
 */
export async function* pullBatches(
  connector: PulledProvider,
  resource: string,
  part: PullTarget,
  client: ProviderClient,
  keeper?: PayloadKeeper,
): AsyncGenerator<PulledBatch> {
  keeper?.begin(resource, part);
  try {
    if ("window" in part) yield* connector.pull(resource, part.window, client);
    else if (connector.pullOne) yield* connector.pullOne(resource, part.id, client);
  } catch (error) {
    if (isUnreadable(error)) throw new UnreadableAnswer("the provider's response is unreadable", { cause: error });
    throw error;
  } finally {
    await keeper?.finish();
  }
}

/** Whether an error comes from data of an unexpected shape. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

/** Observers of a client that log dropped fields, and count what differs from the provider's documents, by name only. */
export function observeResponses(log: Log, about: { readonly provider: string; readonly resource?: string }) {
  const drift = new SchemaDriftReporter(log, about.provider);
  return {
    onDropped: (dropped: readonly ReportedField[]): void => {
      log.warn("fields of a provider's response were dropped", { ...about, parts: formatFieldCounts(dropped) });
      drift.reportDropped(dropped);
    },
    onResponse: (payload: unknown, path: string): void => drift.inspect(payload, path),
  };
}

/** Logs the failed part of a pull with its reason, to explain missing data. */
export function logFailedWindow(
  log: Log,
  error: ProviderError,
  about: { readonly provider: string; readonly resource: string },
): void {
  const status = error instanceof ProviderRefused ? error.status : undefined;
  if (error instanceof UnreadableAnswer) log.error("a provider's response is unreadable", error.cause, about);
  else log.warn("a part of a pull failed", { ...about, error: error.name, status });
}

const MAX_NAMES = 20;

/** Formats counts of refused fields by name and reason. Replaces list indexes by `*`, and marks rejected records. */
export function formatFieldCounts(refused: readonly (Refusal & { readonly effect?: Rejection["effect"] })[]): string {
  const names = refused.map(({ field, reason, effect }) => {
    const name = field === null ? reason : `${field.replaceAll(/\.\d+(?=\.|$)/g, ".*")} ${reason}`;
    return effect === "record_rejected" ? `record with ${name}` : name;
  });
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name}: ${all.length}`);
  return counts.slice(0, MAX_NAMES).join(", ");
}
