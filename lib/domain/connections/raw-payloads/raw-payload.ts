import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";

/** The id of a payload: the id of its pull, which sorts by time, and its place in the pull. */
export const payloadId = z.string().regex(/^[0-9a-z]{9}[0-9a-f]{8}\.\d{4}$/);

/** What a pull asked for: a time window in epoch milliseconds, or one record by the provider's id. */
const pullTarget = z.union([
  z.object({ window: z.object({ startMs: z.number(), endMs: z.number() }) }),
  z.object({ id: z.string() }),
]);

/** A kept response or push, without its body. */
const rawPayload = z.object({
  payload_id: payloadId,
  provider: z.string(),
  /** The connector's resource; null for a push, which may contain several. */
  resource: z.string().nullable(),
  /** Null for a push. */
  target: pullTarget.nullable(),
  /** The provider's id of the user, which some requests contain. */
  account_id: z.string().nullable(),
  method: z.string(),
  /** Address without secrets. */
  url: z.string(),
  /** Body of the request without secrets. */
  form: z.string().nullable(),
  status: z.int(),
  content_type: z.string().nullable(),
  bytes: z.int(),
  /** SHA-256 of owner and body, which names the object. */
  digest: z.string(),
  received_at: z.string(),
});
export type RawPayload = z.output<typeof rawPayload>;

/** A payload as stored: with its expiry in epoch seconds and, once its pull is mapped, the version of the mapping. */
export const storedPayload = rawPayload.extend({ expires_at: z.number(), mapper_version: z.int().optional() });
export type StoredPayload = z.output<typeof storedPayload>;

/** A kept payload in its wire form. */
export const wireRawPayload = z
  .object({
    id: payloadId,
    provider: z.string(),
    resource: z.string().nullable().describe("Unit of data that was pulled; null for a push"),
    origin: openEnum(["pull", "push"]),
    window: z
      .object({ start: z.string(), end: z.string() })
      .nullable()
      .describe("Window of the pull; null for a push and for a single record"),
    record_id: z.string().nullable().describe("The provider's id of a record that was pulled alone"),
    request: z.object({ method: z.string(), url: z.string() }).describe("The request, without secrets"),
    status: z.int().describe("HTTP status of the response; 200 for a push"),
    content_type: z.string().nullable(),
    bytes: z.int(),
    sha256: z.string().describe("Digest of team, user and body: equal for equal bodies of the user"),
    received_at: z.string(),
    expires_at: z.string(),
    mapper_version: z
      .int()
      .nullable()
      .describe("Version of the mapping that read the pull; null until then, and for all but its first payload"),
  })
  .meta({ id: "RawPayload" });

/** Converts a payload to its wire form. */
export function toWireRawPayload(payload: StoredPayload): z.output<typeof wireRawPayload> {
  const { payload_id: id, target, method, url, digest: sha256, account_id: _, form: __, ...rest } = payload;
  const iso = (ms: number) => new Date(ms).toISOString();
  const window = target && "window" in target ? target.window : null;
  return {
    ...rest,
    id,
    origin: target === null ? "push" : "pull",
    window: window && { start: iso(window.startMs), end: iso(window.endMs) },
    record_id: target && "id" in target ? target.id : null,
    request: { method, url },
    sha256,
    expires_at: iso(payload.expires_at * 1000),
    mapper_version: payload.mapper_version ?? null,
  };
}

/** The id of the pull that a payload belongs to. */
export const pullIdOf = (id: string): string => id.slice(0, id.indexOf("."));
