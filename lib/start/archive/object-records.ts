import { Readable } from "node:stream";
import * as z from "zod";
import type { Item } from "../../store/item.ts";
import type { ObjectContent, SourceObject } from "../restore/read-objects.ts";
import type { PartWriter } from "./part-writer.ts";

/** Bytes of an object in one record, so that no large object is in memory. */
const SEGMENT_BYTES = 4 * 2 ** 20;

/** One segment of an object. The segments of an object follow one another, and the first has offset 0. */
const segment = z.object({
  key: z.string(),
  type: z.string().nullable(),
  bytes: z.int(),
  offset: z.int(),
  data: z.instanceof(Uint8Array),
});
type Segment = z.output<typeof segment>;

/** Adds objects, one after another. */
export async function addObjects(writer: PartWriter, page: readonly SourceObject[]): Promise<void> {
  for (const { key, open } of page) {
    const { body, bytes, type = null } = await open();
    let offset = 0;
    for await (const data of segmentsOf(body)) {
      await writer.add({ key, type, bytes, offset, data });
      offset += data.length;
    }
    if (offset !== bytes) throw new Error(`the object ${key} has ${offset} bytes instead of ${bytes}`);
    if (bytes === 0) await writer.add({ key, type, bytes, offset, data: new Uint8Array() });
  }
}

async function* segmentsOf(body: Readable): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    open.push(chunk);
    length += chunk.length;
    if (length < SEGMENT_BYTES) continue;
    yield Buffer.concat(open);
    [open, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(open);
}

/** Joins segments to objects again. Each object must be read before the next one. */
export async function* joinSegments(records: AsyncIterable<Item>): AsyncGenerator<SourceObject[]> {
  const iterator = records[Symbol.asyncIterator]();
  let next = await nextSegment(iterator);
  while (next) {
    const first = next;
    const content = async function* () {
      for (let own: Segment | undefined = first; own?.key === first.key; own = next) {
        yield own.data;
        next = await nextSegment(iterator);
      }
    };
    const open = async (): Promise<ObjectContent> => ({
      body: Readable.from(content(), { objectMode: false }),
      bytes: first.bytes,
      type: first.type ?? undefined,
    });
    yield [{ key: first.key, open }];
    if (next === first) throw new Error(`the object ${first.key} was not read`);
  }
}

async function nextSegment(iterator: AsyncIterator<Item>): Promise<Segment | undefined> {
  const { done, value } = await iterator.next();
  return done === true ? undefined : segment.parse(value);
}
