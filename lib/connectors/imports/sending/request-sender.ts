import { setTimeout as sleep } from "node:timers/promises";
import { type OutgoingRecord, sourceKey } from "../mapping-outcome.ts";
import { InputError } from "../reading/input-error.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { ImportTotals } from "./import-totals.ts";
import type { IngestClient } from "./ingest-client.ts";
import { type IngestBody, RequestBuilder } from "./request-builder.ts";
import { SentKeys } from "./sent-keys.ts";

const MAX_CONCURRENT_REQUESTS = 4;
const POLL_INTERVAL_MS = 500;
/** Maximum wait for one receipt. A receipt that stays pending longer means that the service stores nothing. */
const MAX_WAIT_MS = 15 * 60_000;

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
  readonly #builders = new Map<string, RequestBuilder>();
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
    const builder = this.#builders.get(key) ?? new RequestBuilder(provider, record.source);
    this.#builders.set(key, builder);
    if (!builder.add(record)) {
      await this.#send(builder.build());
      builder.add(record);
    }
    if (builder.isFull) await this.#send(builder.build());
  }

  /** Waits for the requests in flight and ignores their errors. */
  async settleRequests(): Promise<void> {
    await this.#requests.finish().catch(() => undefined);
  }

  /** Sends the remaining records and waits until every receipt is done. @param storing receives the progress. */
  async finish(storing: (receipts: number, totalReceipts: number) => void): Promise<void> {
    for (const builder of this.#builders.values()) if (!builder.isEmpty) await this.#send(builder.build());
    await this.#requests.finish();
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

  async #send(body: IngestBody): Promise<void> {
    const number = ++this.#requestCount;
    await this.#requests.start(async () => {
      const { receiptId, rejected, unlisted, dropped } = await this.#client.send(body);
      for (const refused of rejected) this.#totals.addRefused(refused, number);
      if (unlisted > 0) this.#totals.countRejected("reason not named", unlisted);
      for (const field of dropped) this.#totals.countDroppedField(field);
      if (receiptId === null) return;
      this.#accepted.push({ receiptId, number, refusedPlaces: new Set(rejected.map(({ record }) => record)) });
    });
  }

  /** Waits for a receipt. Counts the records that the service accepted but could not store. */
  async #settle({ receiptId, number, refusedPlaces }: SentRequest): Promise<void> {
    for (let waitedMs = 0; waitedMs <= MAX_WAIT_MS; waitedMs += POLL_INTERVAL_MS) {
      const receipt = await this.#client.receipt(receiptId);
      if (receipt.status === "done") {
        for (const late of receipt.rejected) if (!refusedPlaces.has(late.record)) this.#totals.addRefused(late, number);
        return this.#totals.addReceipt(receipt);
      }
      await sleep(POLL_INTERVAL_MS);
    }
    throw new InputError(`The service accepted the data but did not store it: receipt ${receiptId} is still pending.`);
  }
}
