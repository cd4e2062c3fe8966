import * as z from "zod";
import { encodeChunk } from "../../domain/timeseries/chunk/codec.ts";
import type { Chunk } from "../../domain/timeseries/chunk/sample.ts";
import type { Key } from "../item.ts";
import { NO_RECORDER, type Recorder } from "../recorder-key.ts";
import type { UserCipher } from "../user-encryption.ts";
import { chunkAssociatedData, recorderAssociatedData } from "./chunk-key.ts";

/** Generation of chunks that tell recorders apart. */
const GENERATION = 2;

/** A stored chunk. */
export const chunkItem = z.object({
  pk: z.string(),
  sk: z.string(),
  /** The encoded samples, encrypted. */
  b: z.instanceof(Uint8Array),
  /** Number of writes, for their conditions. */
  v: z.number().int(),
  /** Generation of the format; absent on legacy chunks. */
  g: z.number().int().optional(),
  /** The ids of the recorder, encrypted; absent without recorder. */
  o: z.instanceof(Uint8Array).optional(),
});
export type ChunkItem = z.output<typeof chunkItem>;

/** A chunk to write. */
export type NewChunkItem = Omit<ChunkItem, "b" | "o"> & { readonly b: Uint8Array; readonly o?: Uint8Array };

const recorderIds = z.object({ device_id: z.string().nullable(), app_id: z.string().nullable() });

/**
 * Whether a chunk may hold samples of several recorders. Versions before recorders stored all of them in the chunk
 * without recorder, and replace whole items, so that their writes lose the generation.
 */
export const isLegacyChunk = ({ g }: Pick<ChunkItem, "g">): boolean => g === undefined;

/** Returns the encoded samples of a chunk. */
export const decryptChunk = (seal: UserCipher, item: ChunkItem): Uint8Array =>
  seal.decrypt(item.b, chunkAssociatedData(item));

/** Returns the recorder of a chunk. */
export function decryptRecorder(seal: UserCipher, item: ChunkItem): Recorder {
  if (item.o === undefined) return NO_RECORDER;
  const text = Buffer.from(seal.decrypt(item.o, recorderAssociatedData(item))).toString("utf8");
  const { device_id, app_id } = recorderIds.parse(JSON.parse(text));
  return { deviceId: device_id, appId: app_id };
}

/**
 * Returns the item to write for a chunk.
 * @param stored the item that it replaces. A legacy chunk stays one.
 */
export function encryptChunk(
  seal: UserCipher,
  key: Key,
  chunk: Chunk,
  { deviceId, appId }: Recorder,
  stored: ChunkItem | undefined,
): NewChunkItem {
  const ids: z.output<typeof recorderIds> = { device_id: deviceId, app_id: appId };
  const hasRecorder = deviceId !== null || appId !== null;
  return {
    ...key,
    b: seal.encrypt(encodeChunk(chunk), chunkAssociatedData(key)),
    v: (stored?.v ?? 0) + 1,
    ...(stored && isLegacyChunk(stored) ? {} : { g: GENERATION }),
    ...(hasRecorder ? { o: seal.encrypt(Buffer.from(JSON.stringify(ids)), recorderAssociatedData(key)) } : {}),
  };
}

/** Stored bytes of a chunk besides its key. */
export const chunkBytes = ({ b, o }: ChunkItem | NewChunkItem): number => b.length + (o?.length ?? 0);
