import { fnv1a } from "../lab-tests/fnv.ts";
import { findSlotAt, type Slot, type SlotKind } from "./slots.ts";

/** Time to live of a booking key, milliseconds. */
export const BOOKING_KEY_TTL_MS = 3_600_000;

/**
 * Content of a booking key. It holds no personal data, and {@link resolveBookingKey} trusts none of it. A checksum over the team
 * id and the content detects a key of another team and an altered key.
 */
export interface BookingKey {
  readonly kind: SlotKind;
  readonly provider: string;
  /** Served zip code, or the code of a patient service center. */
  readonly place: string;
  readonly startMs: number;
  readonly expiresMs: number;
}

const VERSION = "1";
const KINDS: Readonly<Record<string, SlotKind>> = { p: "phlebotomy", s: "patient_service_center" };

/** Encodes a booking key. */
export function formatBookingKey({ kind, provider, place, startMs, expiresMs }: BookingKey, teamId: string): string {
  const letter = kind === "phlebotomy" ? "p" : "s";
  const minutes = [startMs, expiresMs].map((ms) => Math.floor(ms / 60_000).toString(36));
  const said = [VERSION, letter, provider, place, ...minutes].join("|");
  const mark = fnv1a(`${teamId}|${said}`).toString(36);
  return Buffer.from(`${said}|${mark}`).toString("base64url");
}

/** Decodes a booking key; undefined for a text that is not a booking key of the team. */
export function parseBookingKey(text: string, teamId: string): BookingKey | undefined {
  if (!/^[\w-]{8,200}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64url").toString();
  const [version, letter = "", provider = "", place = "", start = "", expires = "", _mark, ...rest] =
    decoded.split("|");
  const kind = KINDS[letter];
  if (version !== VERSION || kind === undefined || rest.length > 0) return undefined;
  if (!/^[a-z_]{1,40}$/.test(provider) || !/^[A-Za-z0-9-]{1,20}$/.test(place)) return undefined;
  const [startMs, expiresMs] = [start, expires].map(parseInstant);
  if (startMs === undefined || expiresMs === undefined) return undefined;
  const key = { kind, provider, place, startMs, expiresMs };
  return formatBookingKey(key, teamId) === text ? key : undefined;
}

const parseInstant = (text: string) => (/^[0-9a-z]{1,7}$/.test(text) ? Number.parseInt(text, 36) * 60_000 : undefined);

/** Reason why the slot of a booking key is not available. */
export type BookingKeyRefusal =
  /** The time to live of the key is over. */
  | "expired"
  /** The key belongs to another appointment type, or to a place or provider that does not serve the order. */
  | "other_place"
  /** The provider does not offer this time, or it has passed. */
  | "not_offered";

/** Service area for the sample collection of an order. */
export interface ServiceArea {
  readonly kind: SlotKind;
  readonly zone: string;
  readonly serves: (provider: string, place: string) => boolean;
}

/**
 * Resolves a booking key to its slot. Keys carry no signature: the slot is looked up among the offers at the time of
 * issue, at most an hour ago. So a forged key can select nothing that an issued key could not.
 */
export function resolveBookingKey(key: BookingKey, at: ServiceArea, nowMs: number): Slot | BookingKeyRefusal {
  if (key.kind !== at.kind || !at.serves(key.provider, key.place)) return "other_place";
  if (key.expiresMs <= nowMs || key.expiresMs > nowMs + BOOKING_KEY_TTL_MS) return "expired";
  const slot = findSlotAt(key.kind, at.zone, key.startMs, key.expiresMs - BOOKING_KEY_TTL_MS);
  return slot && slot.startMs > nowMs ? slot : "not_offered";
}
