import { dateOfDay } from "../../../domain/lake/lake-column.ts";

/** Place and identity of new files. Each name starts with its instant, so that a sweep knows the age of a file. */
export interface FileNaming {
  /** Key prefix of the table: ids of team and table, with a slash at the end. */
  readonly prefix: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** Creates a unique id. */
  readonly uuid: () => string;
}

const begin = ({ nowMs, uuid }: FileNaming) => `${String(nowMs).padStart(13, "0")}-${uuid()}`;

/** Returns the key of a new data file. */
export const dataFileKey = (naming: FileNaming, day: number): string =>
  `${naming.prefix}data/day=${dateOfDay(day)}/${begin(naming)}.parquet`;

/** Returns the key of a new manifest or manifest list. */
export const manifestKey = (naming: FileNaming): string => `${naming.prefix}metadata/${begin(naming)}.avro`;

/** Returns the key of a new metadata file. */
export const metadataKey = (naming: FileNaming): string => `${naming.prefix}metadata/${begin(naming)}.metadata.json`;

/** Returns the instant at which a file was named, epoch milliseconds. */
export const namedAtMs = (key: string): number => Number(/\/(\d{13})-[^/]*$/.exec(key)?.[1] ?? 0);
