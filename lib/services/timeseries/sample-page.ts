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
  /** The source as JSON text. */
  readonly source: string;
  readonly texts: string[];
}

/** Builds the JSON text of one page of samples. */
export class SamplePage {
  readonly #writer: SampleWriter;
  readonly #sourceOf: (slice: ChunkSlice) => WireSource;
  readonly #groups = new Map<string, Group>();
  #samples = 0;
  #bytes = 0;

  constructor(resource: TimeseriesResource, sourceOf: (slice: ChunkSlice) => WireSource) {
    this.#writer = new SampleWriter(resource);
    this.#sourceOf = sourceOf;
  }

  /**
   * Writes one sample.
   * @param extraBytes bytes that the page gains besides the sample.
   * @returns its JSON text; undefined if the page is full.
   */
  write(columns: ChunkColumns, index: number, extraBytes = 0): string | undefined {
    if (this.#samples >= MAX_SAMPLES_PER_PAGE) return undefined;
    const text = this.#writer.write(columns, index);
    const bytes = this.#bytes + text.length + this.#writer.escapes + extraBytes;
    if (bytes > MAX_PAGE_BYTES) return undefined;
    this.#samples++;
    this.#bytes = bytes;
    return text;
  }

  /**
   * Adds the samples of a slice from a position on until the page is full. @returns the position after the last one.
   */
  add(slice: ChunkSlice, from: number): number {
    const { provider, sourceType, deviceId, appId, columns, to } = slice;
    const name = JSON.stringify([provider, sourceType, deviceId, appId]);
    const group = this.#groups.get(name) ?? { provider, source: JSON.stringify(this.#sourceOf(slice)), texts: [] };
    // Of other sources a page has only a few. Recorders can be as many as samples.
    const hasRecorder = deviceId !== null || appId !== null;
    const groupBytes = hasRecorder ? Buffer.byteLength(JSON.stringify(group.source)) : 0;
    for (let index = from; index < to; index++) {
      const text = this.write(columns, index, group.texts.length === 0 ? groupBytes : 0);
      if (text === undefined) return index;
      if (group.texts.push(text) === 1) this.#groups.set(name, group);
    }
    return to;
  }

  /** Returns the JSON object `groups`: per provider a list of sources, each with its samples. */
  groups(): string {
    const byProvider = Map.groupBy(this.#groups.values(), ({ provider }) => provider);
    const entries = [...byProvider].map(([provider, groups]) => {
      const sources = groups.map(({ source, texts }) => `{"source":${source},"data":[${texts.join(",")}]}`);
      return `${JSON.stringify(provider)}:[${sources.join(",")}]`;
    });
    return `{${entries.join(",")}}`;
  }
}
