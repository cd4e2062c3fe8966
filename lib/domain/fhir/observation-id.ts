import { createHash } from "node:crypto";
import { type ResourceName, resourceNames } from "../timeseries/resources.ts";
import { fromBase62, toBase62 } from "./base62.ts";

/** The sample behind an Observation. */
export interface SampleReference {
  readonly userId: string;
  readonly resource: ResourceName;
  readonly startMs: number;
  /** Digest of source and type, which tells samples of one instant apart. */
  readonly digest: string;
}

/** What the id of an Observation names. */
export type ObservationReference =
  | ({ readonly kind: "sample" } & SampleReference)
  | { readonly kind: "summary"; readonly summaryId: string; readonly code: string }
  | { readonly kind: "result"; readonly orderId: string; readonly digest: string };

/** Widths of the parts of a sample's id, in characters. An id has at most 64 (FHIR R4, type id). */
const WIDTHS = { user: 22, resource: 4, start: 8, digest: 8 } as const;
const FIRST_INSTANT_MS = Date.UTC(1900, 0, 1);
const SAMPLE = new RegExp(
  `^s(\\w{${WIDTHS.user}})(\\w{${WIDTHS.resource}})(\\w{${WIDTHS.start}})(\\w{${WIDTHS.digest}})$`,
);
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const RESULT = new RegExp(`^(${UUID})\\.lab-(\\w{20})$`);
const SUMMARY = new RegExp(`^(${UUID})\\.([a-z0-9-]{1,27})$`);

const DIGEST_BITS = 47n;
const RESULT_DIGITS = 20;

function digestOf(text: string, bits: bigint, digits: number): string {
  const hash = BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
  return toBase62(hash >> (256n - bits), digits);
}

/** A short name of a resource. It follows from the name of the resource, which never changes. */
const resourceKey = (name: string) => digestOf(name, 23n, WIDTHS.resource);
const resourceByKey = new Map(resourceNames.map((name) => [resourceKey(name), name]));

/** Digest of a sample's source and type. @param stream provider, source type and recorder, as in storage keys. */
export const sampleDigest = (stream: string, subtype: string): string =>
  digestOf(JSON.stringify([stream, subtype]), DIGEST_BITS, WIDTHS.digest);

/** The id of the Observation of a sample. It follows from the identity of the sample, so it never changes. */
export function sampleObservationId({ userId, resource, startMs, digest }: SampleReference): string {
  const user = toBase62(BigInt(`0x${userId.replaceAll("-", "")}`), WIDTHS.user);
  return `s${user}${resourceKey(resource)}${toBase62(BigInt(startMs - FIRST_INSTANT_MS), WIDTHS.start)}${digest}`;
}

/** The id of an Observation of a summary. */
export const summaryObservationId = (summaryId: string, code: string): string =>
  `${summaryId}.${code.replaceAll(/[._]/g, "-")}`;

/** Digest of a result of an order. @param key LOINC code or the laboratory's code. */
export const resultDigest = (key: string): string => digestOf(key, 119n, RESULT_DIGITS);

/** The id of the Observation of a result. */
export const resultObservationId = (orderId: string, key: string): string => `${orderId}.lab-${resultDigest(key)}`;

/** Reads the id of an Observation; undefined for a text that is the id of none. */
export function parseObservationId(id: string): ObservationReference | undefined {
  const [, orderId, digest] = RESULT.exec(id) ?? [];
  if (orderId !== undefined && digest !== undefined) return { kind: "result", orderId, digest };
  const [, summaryId, code] = SUMMARY.exec(id) ?? [];
  if (summaryId !== undefined && code !== undefined) return { kind: "summary", summaryId, code };
  return parseSampleId(id);
}

function parseSampleId(id: string): ObservationReference | undefined {
  const [, userText = "", key = "", startText = "", digest = ""] = SAMPLE.exec(id) ?? [];
  const [user, start, resource] = [fromBase62(userText), fromBase62(startText), resourceByKey.get(key)];
  if (user === undefined || start === undefined || resource === undefined) return undefined;
  const hex = user.toString(16).padStart(32, "0");
  if (hex.length > 32) return undefined;
  const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { kind: "sample", userId, resource, startMs: Number(start) + FIRST_INSTANT_MS, digest };
}
