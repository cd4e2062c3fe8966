import { setTimeout as sleep } from "node:timers/promises";
import { BoundedWork } from "./bounded-work.ts";
import { readElements } from "./element.ts";
import { ExportMapper } from "./export-mapper.ts";
import { healthDataText } from "./health-data-text.ts";
import type { IngestClient } from "./ingest-client.ts";
import { InputError } from "./input-error.ts";
import { Ledger } from "./ledger.ts";
import { type OpenedExport, openExport } from "./open-export.ts";
import type { Outgoing } from "./outcome.ts";
import { type IngestBody, RequestBuilder } from "./request-builder.ts";
import type { SourceType } from "./source-type.ts";

/** Receives the progress of an import. */
export interface ImportObserver {
  reading(bytes: number, totalBytes: number, records: number): void;
  storing(receipts: number, totalReceipts: number): void;
}

const REQUESTS_AT_ONCE = 4;
const POLL_PAUSE_MS = 500;
/** Maximum wait for one receipt. A receipt that stays pending longer means that the service stores nothing. */
const LONGEST_WAIT_MS = 15 * 60_000;

/**
 * Imports an Apple Health export and waits until the service has stored all records. Memory use is independent of the
 * file size, except for nights of sleep (see SleepPeriods) and an id per request. A repeated import is idempotent.
 * @throws InputError for errors that the caller can correct; records read earlier may be stored already.
 */
export async function importExport(path: string, client: IngestClient, observer: ImportObserver): Promise<Ledger> {
  const opened = await openExport(path);
  await client.check();
  const ledger = new Ledger();
  const shipment = new Shipment(client, ledger);
  for (const [reason, count] of opened.otherFiles) {
    ledger.read += count;
    ledger.leaveOut(reason, count);
  }
  try {
    await readInto(shipment, ledger, opened, observer);
  } finally {
    await shipment.settleRequests();
  }
  await shipment.finish(observer);
  return ledger;
}

async function readInto(
  shipment: Shipment,
  ledger: Ledger,
  { bytes, totalBytes }: OpenedExport,
  observer: ImportObserver,
): Promise<void> {
  const mapper = new ExportMapper();
  let bytesRead = 0;
  const observed = tap(bytes, (length) => {
    bytesRead += length;
  });
  for await (const elements of readElements(healthDataText(observed))) {
    for (const element of elements) {
      const outcome = mapper.map(element);
      if (!outcome) continue;
      ledger.read++;
      if ("leftOut" in outcome) ledger.leaveOut(outcome.leftOut);
      else await shipment.add(outcome.send);
    }
    observer.reading(bytesRead, totalBytes, ledger.read);
  }
  for (const record of mapper.derived()) {
    ledger.derived++;
    await shipment.add(record);
  }
}

async function* tap(bytes: AsyncIterable<Uint8Array>, seen: (length: number) => void): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    seen(part.byteLength);
    yield part;
  }
}

/** Sends the requests of one import and tracks their receipts. */
class Shipment {
  readonly #client: IngestClient;
  readonly #ledger: Ledger;
  readonly #builders = new Map<SourceType, RequestBuilder>();
  readonly #receiptIds: string[] = [];
  readonly #requests = new BoundedWork(REQUESTS_AT_ONCE);

  constructor(client: IngestClient, ledger: Ledger) {
    this.#client = client;
    this.#ledger = ledger;
  }

  async add(record: Outgoing): Promise<void> {
    const builder = this.#builders.get(record.sourceType) ?? new RequestBuilder(record.sourceType);
    this.#builders.set(record.sourceType, builder);
    this.#ledger.place(builder.add(record));
    if (builder.isFull) await this.#send(builder.take());
  }

  /** Waits for the requests in flight and ignores their errors. */
  async settleRequests(): Promise<void> {
    await this.#requests.finish().catch(() => undefined);
  }

  /** Sends the remaining records and waits until every receipt is done. */
  async finish(observer: ImportObserver): Promise<void> {
    for (const builder of this.#builders.values()) if (!builder.isEmpty) await this.#send(builder.take());
    await this.#requests.finish();
    const receipts = new BoundedWork(REQUESTS_AT_ONCE);
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
    await this.#requests.start(async () => {
      const { receiptId, rejected, dropped } = await this.#client.send(body);
      for (const reason of rejected) this.#ledger.reject(reason);
      for (const field of dropped) this.#ledger.drop(field);
      if (receiptId !== null) this.#receiptIds.push(receiptId);
    });
  }

  async #settle(receiptId: string): Promise<void> {
    for (let waitedMs = 0; waitedMs <= LONGEST_WAIT_MS; waitedMs += POLL_PAUSE_MS) {
      const receipt = await this.#client.receipt(receiptId);
      if (receipt.status === "done") return this.#ledger.settle(receipt);
      await sleep(POLL_PAUSE_MS);
    }
    throw new InputError(`The service accepted the data but did not store it: receipt ${receiptId} is still pending.`);
  }
}
