import type { PulledBatch, PulledProvider, Window } from "../connectors/connector.ts";
import { type ProviderError, ProviderRefused, UnreadableAnswer } from "../connectors/provider-error.ts";
import type { ProviderClient } from "../connectors/provider-http.ts";
import type { DroppedField } from "../domain/dropped-field.ts";
import type { Log } from "../runtime/log.ts";

/** What is pulled: what lies in a window, or one thing by its id at the provider. */
export type PulledPart = { readonly window: Window } | { readonly id: string };

/**
 * What a provider tells of a resource. What no connector can make sense of is an error of its own kind, so that it costs
 * this part and not those beside it; errors of our own services stay what they are.
 * @throws ProviderError.
 */
export async function* pulledBatches(
  connector: PulledProvider,
  resource: string,
  part: PulledPart,
  client: ProviderClient,
): AsyncGenerator<PulledBatch> {
  try {
    if ("window" in part) yield* connector.pull(resource, part.window, client);
    else if (connector.pullOne) yield* connector.pullOne(resource, part.id, client);
  } catch (error) {
    if (isUnreadable(error)) throw new UnreadableAnswer("an answer that makes no sense", { cause: error });
    throw error;
  }
}

/** What reading data of another shape than expected throws. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

/** Logs what was left out of answers, by name, never what it was. */
export const droppedLogger =
  (log: Log, about: { readonly provider: string; readonly resource?: string }) =>
  (dropped: readonly DroppedField[]): void =>
    log.warn("parts of what a provider told were left out", { ...about, parts: countsOf(dropped) });

/** Logs that a part of a pull failed, and why, so that what is missing has a name. */
export function logFailedWindow(
  log: Log,
  error: ProviderError,
  about: { readonly provider: string; readonly resource: string },
): void {
  const status = error instanceof ProviderRefused ? error.status : undefined;
  if (error instanceof UnreadableAnswer) log.error("a provider told what can not be read", error.cause, about);
  else log.warn("a part of a pull failed", { ...about, error: error.name, status });
}

const MOST_NAMES = 20;

/** How often each field was left out for which reason, places in lists not told apart. */
export function countsOf(dropped: readonly { readonly field?: string | undefined; readonly reason: string }[]): string {
  const names = dropped.map(({ field, reason }) =>
    field === undefined ? reason : `${field.replaceAll(/\.\d+(?=\.|$)/g, ".*")} ${reason}`,
  );
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name}: ${all.length}`);
  return counts.slice(0, MOST_NAMES).join(", ");
}
