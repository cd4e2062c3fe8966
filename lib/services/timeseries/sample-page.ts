import type { WireSource } from "../../domain/connections/sources/source.ts";
import type { ChunkColumns } from "../../domain/timeseries/chunk/chunk-columns.ts";
import type { TimeseriesResource } from "../../domain/timeseries/resource.ts";
import { SampleWriter } from "../../domain/timeseries/sample-writer.ts";
import { MAX_PAGE_BYTES } from "../../runtime/http/answer-size.ts";
import type { ChunkSlice } from "../../store/timeseries/chunk-slice.ts";

/** Maximum number of samples of a page. */
const MAX_SAMPLES_PER_PAGE = 20_000;

interface Group {
  readonly provider: string;
  readonly sourceType: string;
  readonly texts: string[];
}

/** Builds the JSON text of one page of samples. */
export class SamplePage {
  readonly #writer: SampleWriter;
  readonly #groups = new Map<string, Group>();
  #samples = 0;
  #bytes = 0;

  constructor(resource: TimeseriesResource) {
    this.#writer = new SampleWriter(resource);
  }

  /** Writes one sample. @returns its JSON text; undefined if the page is full. */
  write(columns: ChunkColumns, index: number): string | undefined {
    if (this.#samples >= MAX_SAMPLES_PER_PAGE) return undefined;
    const text = this.#writer.write(columns, index);
    const bytes = this.#bytes + text.length + this.#writer.escapes;
    if (bytes > MAX_PAGE_BYTES) return undefined;
    this.#samples++;
    this.#bytes = bytes;
    return text;
  }

  /**
   * Adds the samples of a slice from a position on until the page is full. @returns the position after the last one.
   */
  add({ provider, sourceType, columns, to }: ChunkSlice, from: number): number {
    const name = `${provider}#${sourceType}`;
    const group = this.#groups.get(name) ?? { provider, sourceType, texts: [] };
    for (let index = from; index < to; index++) {
      const text = this.write(columns, index);
      if (text === undefined) return index;
      if (group.texts.push(text) === 1) this.#groups.set(name, group);
    }
    return to;
  }

  /** Returns the JSON object `groups`: per provider a list of sources, each with its samples. */
  groups(sourceOf: (provider: string, sourceType: string) => WireSource): string {
    const byProvider = Map.groupBy(this.#groups.values(), ({ provider }) => provider);
    const entries = [...byProvider].map(([provider, groups]) => {
      const sources = groups.map(({ sourceType, texts }) => {
        return `{"source":${JSON.stringify(sourceOf(provider, sourceType))},"data":[${texts.join(",")}]}`;
      });
      return `${JSON.stringify(provider)}:[${sources.join(",")}]`;
    });
    return `{${entries.join(",")}}`;
  }
}
