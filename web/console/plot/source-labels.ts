import { type Source, sourceKey } from "../api/series.ts";
import { nameProvider } from "../parts/numbers.ts";

const short = ({ provider, type, kind }: Source) => [nameProvider(provider), type, kind].filter(Boolean).join(", ");

/** A source in words, with the ids of its device and app. */
export const fullSourceName = (source: Source) =>
  [short(source), source.device_id, source.app_id].filter(Boolean).join(", ");

/** Names sources as shortly as they differ, by their keys: with device and app only where two have the same type. */
export function sourceLabels(sources: readonly Source[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const source of sources) counts.set(short(source), (counts.get(short(source)) ?? 0) + 1);
  const label = (source: Source) => ((counts.get(short(source)) ?? 0) > 1 ? fullSourceName(source) : short(source));
  return new Map(sources.map((source) => [sourceKey(source), label(source)]));
}
