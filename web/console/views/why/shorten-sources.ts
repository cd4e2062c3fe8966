import type { Explanation } from "../../api/aggregate.ts";
import { type Source, sourceKey } from "../../api/series.ts";
import { sourceLabels } from "../../plot/source-labels.ts";

/** A source as the sentences of the service name it. */
function namedByService({ provider, type, device_id, app_id }: Source): string {
  const recorder = [device_id && `device ${device_id}`, app_id && `app ${app_id}`].filter(Boolean);
  return `${provider} (${[type, ...recorder].join(", ")})`;
}

/** A label within a sentence: `Oura, ring` becomes `Oura (ring)`. */
const inSentence = (label: string) => label.replace(/^([^,]+), (.*)$/s, "$1 ($2)");

/** Names sources in sentences of the service as the tables beside them do. */
export function shortenSources(sentences: string, { used, set_aside }: Explanation): string {
  const sources = [...used, ...set_aside].map(({ source }) => source);
  const labels = sourceLabels([...new Map(sources.map((source) => [sourceKey(source), source])).values()]);
  return sources.reduce(
    (text, source) =>
      text.replaceAll(namedByService(source), () => inSentence(labels.get(sourceKey(source)) ?? source.provider)),
    sentences,
  );
}
