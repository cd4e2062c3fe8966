import { setTimeout as sleep } from "node:timers/promises";
import { type OutgoingRecord, type RecordSource, sourceKey } from "../mapping-outcome.ts";
import { InputError } from "../reading/input-error.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { HistoryEnds } from "./history-ends.ts";
import type { ImportTotals } from "./import-totals.ts";
import type { IngestClient, ReceiptAnswer } from "./ingest-client.ts";
import { type IngestBody, RequestBuilder } from "./request-builder.ts";
import { SentKeys } from "./sent-keys.ts";

const MAX_CONCURRENT_REQUESTS = 4;
const POLL_INTERVAL_MS = 500;
/** Maximum wait for one receipt. A receipt that stays pending longer means that the service stores nothing. */
const MAX_WAIT_MS = 15 * 60_000;

/** The history of one source of a provider. The service announces it once, with the request that completes it. */
class SourceHistory {
  readonly builder: RequestBuilder;
  readonly ends = new HistoryEnds();
  /** Whether some of the history was sent. */
  hasParts = false;
  readonly #provider: string;
  readonly #source: RecordSource;

  constructor(provider: string, source: RecordSource) {
    this.#provider = provider;
    this.#source = source;
    this.builder = new RequestBuilder(provider, source);
  }

  /** Composes the requests that complete a history of several parts: one, unless the records are too large for it. */
  *compose(): Iterable<IngestBody> {
    const builder = new RequestBuilder(this.#provider, this.#source);
    for (const [resource, record] of this.ends.records()) {
      if (builder.addSent(resource, record)) continue;
      yield builder.build({ isFinal: true });
      builder.addSent(resource, record);
    }
    if (!builder.isEmpty) yield builder.build({ isFinal: true });
  }
}

/** A request that the service accepted, at least in part. */
interface SentRequest {
  readonly receiptId: string;
  /** Its number, from 1. */
  readonly number: number;
  /** Places of the records that the response refused. The receipt repeats them. */
  readonly refusedPlaces: ReadonlySet<string>;
}

/** Sends the requests of one import and tracks their receipts. */
export class RequestSender {
  readonly #client: IngestClient;
  readonly #totals: ImportTotals;
  readonly #histories = new Map<string, SourceHistory>();
  readonly #sent = new Map<string, SentKeys>();
  readonly #accepted: SentRequest[] = [];
  #requestCount = 0;
  readonly #requests = new ConcurrencyLimiter(MAX_CONCURRENT_REQUESTS);

  constructor(client: IngestClient, totals: ImportTotals) {
    this.#client = client;
    this.#totals = totals;
  }

  /** Adds a record of a provider. Sends a request once it is full. */
  async add(provider: string, record: OutgoingRecord): Promise<void> {
    const sent = this.#sent.get(provider) ?? new SentKeys();
    this.#sent.set(provider, sent);
    if (!sent.add(record)) return this.#totals.countLeftOut("second record of one source and start");
    const key = `${provider} ${sourceKey(record.source)}`;
    const history = this.#histories.get(key) ?? new SourceHistory(provider, record.source);
    this.#histories.set(key, history);
    const { builder } = history;
    if (builder.isFull || !builder.add(record)) {
      await this.#sendPart(history);
      builder.add(record);
    }
  }

  /** Waits for the requests in flight and ignores their errors. */
  async settleRequests(): Promise<void> {
    await this.#requests.finish().catch(() => undefined);
  }

  /**
   * Sends the remaining records and waits until every receipt is done. Then completes the histories that were sent in
   * parts. @param storing receives the progress.
   */
  async finish(storing: (receipts: number, totalReceipts: number) => void): Promise<void> {
    const histories = [...this.#histories.values()];
    const inParts = histories.filter(({ hasParts }) => hasParts);
    for (const history of histories) {
      if (history.hasParts) await this.#sendPart(history);
      else await this.#send(history, history.builder.build({ isFinal: true }));
    }
    await this.#requests.finish();
    await this.#settleAll(storing);
    for (const history of inParts) for (const body of history.compose()) await this.#complete(body);
    await this.#requests.finish();
  }

  async #settleAll(storing: (receipts: number, totalReceipts: number) => void): Promise<void> {
    const receipts = new ConcurrencyLimiter(MAX_CONCURRENT_REQUESTS);
    let done = 0;
    for (const request of this.#accepted) {
      await receipts.start(async () => {
        await this.#settle(request);
        storing(++done, this.#accepted.length);
      });
    }
    await receipts.finish();
  }

  /** Sends the collected records of a history that has more to come. */
  async #sendPart(history: SourceHistory): Promise<void> {
    history.hasParts = true;
    await this.#send(history, history.builder.build({ isFinal: false }));
  }

  async #send(history: SourceHistory, body: IngestBody): Promise<void> {
    const number = ++this.#requestCount;
    await this.#requests.start(async () => {
      const { receiptId, rejected, unlisted, dropped } = await this.#client.send(body);
      for (const refused of rejected) this.#totals.addRefused(refused, number);
      if (unlisted > 0) this.#totals.countRejected("reason not named", unlisted);
      for (const field of dropped) this.#totals.countDroppedField(field);
      if (receiptId === null) return;
      const refusedPlaces = new Set(rejected.map(({ record }) => record));
      this.#accepted.push({ receiptId, number, refusedPlaces });
      history.ends.add(body, refusedPlaces);
    });
  }

  /** Completes a history. The service has all of the records already, so the totals count none. */
  async #complete(body: IngestBody): Promise<void> {
    await this.#requests.start(async () => {
      const { receiptId } = await this.#client.send(body);
      if (receiptId !== null) await this.#awaitReceipt(receiptId);
    });
  }

  /** Waits for a receipt. Counts the records that the service accepted but could not store. */
  async #settle({ receiptId, number, refusedPlaces }: SentRequest): Promise<void> {
    const receipt = await this.#awaitReceipt(receiptId);
    for (const late of receipt.rejected) if (!refusedPlaces.has(late.record)) this.#totals.addRefused(late, number);
    this.#totals.addReceipt(receipt);
  }

  async #awaitReceipt(receiptId: string): Promise<ReceiptAnswer> {
    for (let waitedMs = 0; waitedMs <= MAX_WAIT_MS; waitedMs += POLL_INTERVAL_MS) {
      const receipt = await this.#client.receipt(receiptId);
      if (receipt.status === "done") return receipt;
      await sleep(POLL_INTERVAL_MS);
    }
    throw new InputError(`The service accepted the data but did not store it: receipt ${receiptId} is still pending.`);
  }
}
