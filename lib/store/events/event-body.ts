import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { decodeChunk, encodeChunk } from "../../domain/timeseries/chunk/codec.ts";
import { buildChunk } from "../../domain/timeseries/chunk/runs.ts";
import { compareSampleKeys, type Sample } from "../../domain/timeseries/chunk/sample.ts";
import { findResource } from "../../domain/timeseries/resources.ts";
import { toWireSample } from "../../domain/timeseries/wire-sample.ts";
import type { EventBody } from "../../events/catalogue/envelope.ts";

/** The samples that a body lists, as stored in chunks: about two bytes each instead of twenty. */
export interface EventSamples {
  readonly resource: string;
  readonly samples: readonly Sample[];
}

/** First byte of a body with its samples in columns. Gzip begins with another. */
const COLUMNS = 1;
/** Bytes before the compressed rest of the body: the first byte and the length of that rest. */
const HEADER_BYTES = 5;

/** A JSON object. Parsing keeps the order of its keys, unlike that of an object with a shape. */
const json = z.record(z.string(), z.unknown());
/** The body without its samples, and their resource. */
const bodyWithoutSamples = z.object({ resource: z.string(), body: json });

/** Provenance does not matter in events. */
const noRun = { receivedAt: 0, batchId: "", verb: "created" } as const;

/** Compresses the body of an event. */
export function encodeBody(body: EventBody, listed?: EventSamples): Uint8Array {
  const text = JSON.stringify(body);
  const encoded = listed && encodeColumns(body, listed);
  // Reading must give exactly what was composed, whatever the form.
  return encoded && decodeBody(encoded) === text ? encoded : encodeText(text);
}

/** Compresses the text of a body. */
export const encodeText = (text: string): Uint8Array => gzipSync(text);

/** Returns the body as JSON text, exactly as it was composed. */
export function decodeBody(bytes: Uint8Array): string {
  if (bytes[0] !== COLUMNS) return gunzipSync(bytes).toString("utf8");
  const restEnd = HEADER_BYTES + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32BE(1);
  const rest = inflateRawSync(bytes.subarray(HEADER_BYTES, restEnd)).toString("utf8");
  const { resource: name, body } = bodyWithoutSamples.parse(JSON.parse(rest));
  const resource = findResource(name);
  if (!resource) throw new Error(`an event has samples of an unknown resource: ${name}`);
  const { samples } = decodeChunk(bytes.subarray(restEnd));
  const data = { ...json.parse(body.data), data: samples.map((sample) => toWireSample(resource, sample)) };
  return JSON.stringify({ ...body, data });
}

function encodeColumns(body: EventBody, { resource, samples }: EventSamples): Uint8Array | undefined {
  const isSorted = samples.every((sample, place) => {
    const before = samples[place - 1];
    return before === undefined || compareSampleKeys(before, sample) < 0;
  });
  if (!isSorted) return undefined;
  const rest = deflateRawSync(JSON.stringify({ resource, body: { ...body, data: { ...body.data, data: [] } } }));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(COLUMNS);
  header.writeUInt32BE(rest.length, 1);
  return Buffer.concat([header, rest, encodeChunk(buildChunk(samples.map((sample) => ({ sample, run: noRun }))))]);
}
