import { setTimeout as sleep } from "node:timers/promises";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { readElements } from "./element.ts";
import { ExportMapper } from "./export-mapper.ts";
import { readHealthDataText } from "./health-data-text.ts";
import { ImportTotals } from "./import-totals.ts";
import type { IngestClient } from "./ingest-client.ts";
import { InputError } from "./input-error.ts";
import type { OutgoingRecord } from "./mapping-outcome.ts";
import { type OpenedExport, openExport } from "./open-export.ts";
import { sourceKey } from "./record-source.ts";
import { type IngestBody, RequestBuilder } from "./request-builder.ts";
import { SentKeys } from "./sent-keys.ts";

/** Receives the progress of an import. */
export interface ImportObserver {
  reading(bytes: number, totalBytes: number, records: number): void;
  storing(receipts: number, totalReceipts: number): void;
}

const MAX_CONCURRENT_REQUESTS = 4;
const POLL_INTERVAL_MS = 500;
/** Maximum wait for one receipt. A receipt that stays pending longer means that the service stores nothing. */
const MAX_WAIT_MS = 15 * 60_000;

/**
 * Imports an Apple Health export and waits until the service has stored all records. Memory use is independent of the
 * file size, except for nights of sleep (see SleepPeriods), the starts of samples (see SentKeys) and an id per request.
 * A repeated import is idempotent, and no two requests contain records of one identity.
 * @throws InputError for errors that the caller can correct; records read earlier may be stored already.
 */
export async function importHealthExport(
  path: string,
  client: IngestClient,
  observer: ImportObserver,
): Promise<ImportTotals> {
  const opened = await openExport(path);
  await client.check();
  const ledger = new ImportTotals();
  const shipment = new RequestSender(client, ledger);
  for (const [reason, count] of opened.otherFiles) {
    ledger.read += count;
    ledger.countLeftOut(reason, count);
  }
  try {
    await sendRecords(shipment, ledger, opened, observer);
  } finally {
    await shipment.settleRequests();
  }
  await shipment.finish(observer);
  return ledger;
}

async function sendRecords(
  shipment: RequestSender,
  ledger: ImportTotals,
  { bytes, totalBytes }: OpenedExport,
  observer: ImportObserver,
): Promise<void> {
  const mapper = new ExportMapper();
  let bytesRead = 0;
  const observed = observeBytes(bytes, (length) => {
    bytesRead += length;
  });
  for await (const elements of readElements(readHealthDataText(observed))) {
    for (const element of elements) {
      const outcome = mapper.map(element);
      if (!outcome) continue;
      ledger.read++;
      if ("leftOut" in outcome) ledger.countLeftOut(outcome.leftOut);
      else await shipment.add(outcome.send);
    }
    observer.reading(bytesRead, totalBytes, ledger.read);
  }
  for (const record of mapper.derived()) {
    ledger.derived++;
    await shipment.add(record);
  }
}

async function* observeBytes(
  bytes: AsyncIterable<Uint8Array>,
  seen: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    seen(part.byteLength);
    yield part;
  }
}

/** Sends the requests of one import and tracks their receipts. */
class RequestSender {
  readonly #client: IngestClient;
  readonly #ledger: ImportTotals;
  readonly #builders = new Map<string, RequestBuilder>();
  readonly #sent = new SentKeys();
  readonly #receiptIds: string[] = [];
  #sentRequests = 0;
  readonly #requests = new ConcurrencyLimiter(MAX_CONCURRENT_REQUESTS);

  constructor(client: IngestClient, ledger: ImportTotals) {
    this.#client = client;
    this.#ledger = ledger;
  }

  async add(record: OutgoingRecord): Promise<void> {
    if (!this.#sent.add(record)) return this.#ledger.countLeftOut("second record of one source and start");
    const key = sourceKey(record.source);
    const builder = this.#builders.get(key) ?? new RequestBuilder(record.source);
    this.#builders.set(key, builder);
    builder.add(record);
    if (builder.isFull) await this.#send(builder.build());
  }

  /** Waits for the requests in flight and ignores their errors. */
  async settleRequests(): Promise<void> {
    await this.#requests.finish().catch(() => undefined);
  }

  /** Sends the remaining records and waits until every receipt is done. */
  async finish(observer: ImportObserver): Promise<void> {
    for (const builder of this.#builders.values()) if (!builder.isEmpty) await this.#send(builder.build());
    await this.#requests.finish();
    const receipts = new ConcurrencyLimiter(MAX_CONCURRENT_REQUESTS);
    let done = 0;
    for (const receiptId of this.#receiptIds) {
      await receipts.start(async () => {
        await this.#settle(receiptId);
        observer.storing(++done, this.#receiptIds.length);
      });
    }
    await receipts.finish();
  }

  async #send(body: IngestBody): Promise<void> {
    const request = ++this.#sentRequests;
    await this.#requests.start(async () => {
      const { receiptId, rejected, unlisted, dropped } = await this.#client.send(body);
      for (const refused of rejected) this.#ledger.addRefused(refused, request);
      if (unlisted > 0) this.#ledger.countRejected("reason not named", unlisted);
      for (const field of dropped) this.#ledger.countDroppedField(field);
      if (receiptId !== null) this.#receiptIds.push(receiptId);
    });
  }

  async #settle(receiptId: string): Promise<void> {
    for (let waitedMs = 0; waitedMs <= MAX_WAIT_MS; waitedMs += POLL_INTERVAL_MS) {
      const receipt = await this.#client.receipt(receiptId);
      if (receipt.status === "done") return this.#ledger.addReceipt(receipt);
      await sleep(POLL_INTERVAL_MS);
    }
    throw new InputError(`The service accepted the data but did not store it: receipt ${receiptId} is still pending.`);
  }
}
