import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { sampleTable } from "../../../../lib/contract/resources.ts";
import { columnsToChunk } from "../../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { decodeChunk, encodeChunk } from "../../../../lib/domain/timeseries/chunk/codec.ts";
import { mergeChunk } from "../../../../lib/domain/timeseries/chunk/merge-chunk.ts";
import type { BatchReceipt, Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { getResource } from "../../../../lib/domain/timeseries/resources.ts";
import type { Recorder } from "../../../../lib/store/recorder-key.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { chunkItem } from "../../../../lib/store/timeseries/chunk-item.ts";
import {
  chunkAssociatedData,
  chunkKey,
  chunkPartition,
  type SampleStream,
  withoutRecorder,
} from "../../../../lib/store/timeseries/chunk-key.ts";
import type { MergedSamples } from "../../../../lib/store/timeseries/chunk-merger.ts";
import { ChunkStore } from "../../../../lib/store/timeseries/chunks.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { createUserCiphers } from "../../../support/user-ciphers.ts";

const heartrate = getResource("heartrate");
export const T0 = Date.UTC(2026, 2, 10, 8);
const RETENTION_MS = 30 * 86_400_000;

/** The recorder of a device without app. */
export const device = (deviceId: string): Recorder => ({ deviceId, appId: null });

/** Heart rates at one second each, or deletions for null. */
export const beats = (values: readonly (number | null)[], startMs = T0): Sample[] =>
  values.map((value, index) => ({
    start: startMs + index * 1_000,
    value,
    offsetS: null,
    type: null,
    ...(value === null ? { isDeleted: true as const } : {}),
  }));

/** A sample as a read returns it. */
export interface ReadBeat {
  readonly second: number;
  readonly value: number | string | null;
  readonly deviceId: string | null;
  readonly appId: string | null;
}

/** The store on the real engine, with a count of its requests. */
export class RecorderFixture {
  readonly scope = TeamScope.grant("7ea70000-0000-4000-8000-000000000001");
  readonly dynamodb: TestDynamodb;
  readonly chunks: ChunkStore;
  readonly table: Table;
  /** Called with the name of each request before it is sent. */
  onRequest: (name: string) => Promise<void> | void = () => undefined;
  #requests: string[] = [];
  #users = 0;
  #received = 0;
  readonly #ciphers = createUserCiphers();

  private constructor(dynamodb: TestDynamodb) {
    this.dynamodb = dynamodb;
    const send = async (command: object) => {
      const name = command.constructor.name.replace("Command", "");
      this.#requests.push(name);
      await this.onRequest(name);
      return dynamodb.documents.send(command as never);
    };
    this.table = new Table({ send } as unknown as DynamoDBDocumentClient, sampleTable.name);
    this.chunks = new ChunkStore(this.table, this.#ciphers, RETENTION_MS);
  }

  static async open(): Promise<RecorderFixture> {
    return new RecorderFixture(await startDynamodb());
  }

  newUser(): string {
    return `user ${++this.#users}`;
  }

  stream(userId: string, recorder: Recorder): SampleStream {
    return { userId, resource: heartrate, provider: "oura", sourceType: "ring", recorder };
  }

  /** The receipt of the next batch. */
  nextReceipt(): BatchReceipt {
    const number = ++this.#received;
    return { receivedAt: T0 + number, batchId: `b${number}` };
  }

  merge(
    userId: string,
    recorder: Recorder,
    samples: readonly Sample[],
    { receipt = this.nextReceipt(), expectNew = false } = {},
  ): Promise<MergedSamples> {
    const options = { expectNew, hasNoOlderPending: async () => false };
    return this.chunks.merge(this.scope, this.stream(userId, recorder), samples, receipt, options);
  }

  /** Merges as the version before recorders: into the chunk without recorder, which it replaces without its generation. */
  async mergeAsBefore(userId: string, samples: readonly Sample[], receipt = this.nextReceipt()): Promise<void> {
    const stream = withoutRecorder(this.stream(userId, device("ignored")));
    const key = chunkKey(this.scope, stream, samples[0]?.start ?? 0);
    const cipher = await this.#ciphers.forUser(this.scope, userId);
    const stored = await this.table.get(key, chunkItem);
    const before = stored && decodeChunk(cipher.decrypt(stored.b, chunkAssociatedData(key)));
    const { chunk } = mergeChunk(before, samples, receipt);
    const b = cipher.encrypt(encodeChunk(chunk), chunkAssociatedData(key));
    await this.table.put({ ...key, b, v: (stored?.v ?? 0) + 1 });
  }

  /** Reads the samples of a day after T0, by second, then recorder. */
  async read(userId: string, asOfMs?: number): Promise<ReadBeat[]> {
    const range = { fromMs: T0, toMs: T0 + 86_400_000 };
    const slices = await Array.fromAsync(this.chunks.read(this.scope, userId, heartrate, { range, asOfMs }));
    const found = slices.flatMap(({ columns, from, to, deviceId, appId }) =>
      columnsToChunk(columns)
        .samples.slice(from, to)
        .map(({ start, value }): ReadBeat => ({ second: (start - T0) / 1_000, value, deviceId, appId })),
    );
    return found.sort((a, b) => a.second - b.second || nameOf(a).localeCompare(nameOf(b)));
  }

  /** The stored chunks of a user, without versions. */
  async items(userId: string) {
    const pk = chunkPartition(this.scope, userId, heartrate);
    const query = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
    const page = await this.table.query(query, chunkItem.partial({ v: true }));
    return page.items.filter(({ sk }) => !sk.startsWith("v#"));
  }

  /** Returns the names of the requests that some work sends. */
  async requestsOf(work: () => Promise<unknown>): Promise<string[]> {
    this.#requests = [];
    await work();
    return this.#requests;
  }
}

const nameOf = ({ deviceId, appId }: ReadBeat) => JSON.stringify([deviceId, appId]);
