import type { ImportOptions } from "./format.ts";
import { formats } from "./formats.ts";
import { DamagedFile, InputError } from "./reading/input-error.ts";
import { openSource } from "./reading/open-source.ts";
import type { SourceFile } from "./reading/source-file.ts";
import { type RecognisedFile, recogniseFiles } from "./recognise.ts";
import { ImportTotals } from "./sending/import-totals.ts";
import type { IngestClient } from "./sending/ingest-client.ts";
import { RequestSender } from "./sending/request-sender.ts";

/** Receives the progress of an import. */
export interface ImportObserver {
  /** @param title names of the recognised formats. */
  recognised(title: string): void;
  reading(bytes: number, totalBytes: number, records: number): void;
  /** All files were read. */
  read(records: number): void;
  storing(receipts: number, totalReceipts: number): void;
}

/**
 * Imports an export file of a provider and waits until the service has stored all records. Memory use is independent of
 * the size of streamed files, except for the starts of samples (see SentKeys), an id per request and what formats collect.
 * A repeated import is idempotent, and no two requests contain different records of one identity. The service announces
 * the history of each source once.
 * @throws InputError for errors that the caller can correct; records read earlier may be stored already.
 */
export async function importFile(
  path: string,
  client: IngestClient,
  observer: ImportObserver,
  options: ImportOptions = {},
): Promise<ImportTotals> {
  const source = await openSource(path);
  try {
    const { known, others } = await recogniseFiles(source.files, formats);
    if (known.length === 0) throw new InputError(describeUnknown());
    await client.check();
    observer.recognised([...new Set(known.map(({ format }) => format.title))].join(", "));
    const totals = new ImportTotals();
    countOthers(others, totals);
    const sender = new RequestSender(client, totals);
    try {
      await new SourceReader(known, sender, totals, observer).read(options);
      observer.read(totals.read);
    } finally {
      await sender.settleRequests();
    }
    await sender.finish((done, all) => observer.storing(done, all));
    return totals;
  } finally {
    await source.close();
  }
}

const describeUnknown = (): string =>
  `This is not a known export. Known are: ${[...new Set(formats.map(({ title }) => title))].join(", ")}.`;

function countOthers(files: readonly SourceFile[], totals: ImportTotals): void {
  for (const { path } of files) {
    const [, extension = "no extension"] = /\.(\w+)$/.exec(path) ?? [];
    totals.read++;
    totals.countLeftOut(`other file (${extension.toLowerCase()})`);
  }
}

/** Reads the recognised files, format by format. */
class SourceReader {
  readonly #known: readonly RecognisedFile[];
  readonly #sender: RequestSender;
  readonly #totals: ImportTotals;
  readonly #observer: ImportObserver;
  readonly #totalBytes: number;
  #bytes = 0;
  #finishedBytes = 0;
  #wholeFiles = 0;
  #damage: DamagedFile | undefined;

  constructor(known: readonly RecognisedFile[], sender: RequestSender, totals: ImportTotals, observer: ImportObserver) {
    this.#known = known;
    this.#sender = sender;
    this.#totals = totals;
    this.#observer = observer;
    this.#totalBytes = known.reduce((sum, { file }) => sum + file.size, 0);
  }

  /** Sends all records. @throws DamagedFile if no file is whole. */
  async read(options: ImportOptions): Promise<void> {
    for (const [format, files] of Map.groupBy(this.#known, (one) => one.format)) {
      const reader = format.start(options);
      for (const { file, kind } of files) {
        await this.#readFile(file, reader.read(kind, this.#observed(file)), format.provider);
      }
      for (const record of reader.derived()) {
        this.#totals.derived++;
        await this.#sender.add(format.provider, record);
      }
    }
    if (this.#damage && this.#wholeFiles === 0) throw this.#damage;
  }

  async #readFile(
    { path, size }: SourceFile,
    outcomes: ReturnType<ReturnType<RecognisedFile["format"]["start"]>["read"]>,
    provider: string,
  ): Promise<void> {
    try {
      for await (const batch of outcomes) {
        for (const outcome of batch) {
          this.#totals.read++;
          if ("leftOut" in outcome) this.#totals.countLeftOut(outcome.leftOut);
          else await this.#sender.add(provider, outcome.send);
        }
        this.#report();
      }
      this.#wholeFiles++;
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      this.#damage ??= error;
      this.#totals.read++;
      this.#totals.addDamaged(path, error.message);
    }
    this.#finishedBytes += size;
    this.#bytes = this.#finishedBytes;
    this.#report();
  }

  #observed(file: SourceFile): SourceFile {
    const count = (length: number) => {
      this.#bytes += length;
    };
    return { ...file, open: () => observeBytes(file.open(), count) };
  }

  #report(): void {
    this.#observer.reading(this.#bytes, this.#totalBytes, this.#totals.read);
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
