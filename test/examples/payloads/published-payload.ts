import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";

/** A record as the service would store it, with the device and source type of its batch. */
export type MappedRecord = Readonly<Record<string, unknown>>;

/** What a provider publishes about one response or push, and the records that its documents demand. */
export interface PublishedPayload {
  /** Pages and repositories that state fields, types and units. The values are made up. */
  readonly sources: readonly string[];
  /** The documented cases that the payload contains. */
  readonly cases: string;
  /** The resource to pull; absent for a push. */
  readonly resource?: string;
  /** The provider's id, for a pull of one record. */
  readonly id?: string;
  /** First instant (included) and last instant (excluded) of the pull. */
  readonly window?: readonly [start: string, end: string];
  /** Responses by path, with parameters where several requests have one path. */
  readonly replies?: Readonly<Record<string, unknown>>;
  /** Body of a push: JSON, or the text of a form. */
  readonly push?: unknown;
  /** Expected records by resource: their relevant fields, or only how many they are. */
  readonly expected?: Readonly<Record<string, readonly MappedRecord[] | number>>;
  /** Expected pushes without records. */
  readonly expectedPushes?: readonly MappedRecord[];
  /** Fields that the connector reports as invalid. */
  readonly dropped?: readonly string[];
  /** Records and fields that the service refuses. */
  readonly rejected?: readonly string[];
  /** Name of the expected error. */
  readonly error?: string;
  /** By path: members that the documents state to be always present. */
  readonly always?: Readonly<Record<string, readonly string[]>>;
  /** What the connector read differently from the documents before it was tried on this payload. */
  readonly mended?: readonly string[];
}

/** A payload with its provider's slug and the name of its file. */
export interface NamedPayload extends PublishedPayload {
  readonly provider: string;
  readonly name: string;
}

const FOLDER = "test/examples/payloads";

/** All payloads, by provider and name. */
export const publishedPayloads: readonly NamedPayload[] = globSync(`${FOLDER}/*/*.json`)
  .toSorted()
  .map((file) => ({
    provider: basename(dirname(file)),
    name: basename(file, ".json"),
    ...(JSON.parse(readFileSync(file, "utf8")) as PublishedPayload),
  }));
