import { fnv1a } from "../lab-tests/fnv.ts";
import { type Slot, type SlotKind, slotAt } from "./slots.ts";

/** How long a booking key can be used, milliseconds. */
export const BOOKING_KEY_LIFE_MS = 3_600_000;

/**
 * What a booking key stands for. It holds nothing of a person, and nothing that is taken on trust: see `keptSlot`. A mark
 * at its end goes with the team and with all else that is in it, so that another team's key and an altered one are told.
 */
export interface BookingKey {
  readonly kind: SlotKind;
  readonly provider: string;
  /** The zip code that is served, or the code of the site. */
  readonly place: string;
  readonly startMs: number;
  readonly expiresMs: number;
}

const VERSION = "1";
const KINDS: Readonly<Record<string, SlotKind>> = { p: "phlebotomy", s: "patient_service_center" };

/** The text of a booking key. */
export function bookingKey({ kind, provider, place, startMs, expiresMs }: BookingKey, teamId: string): string {
  const letter = kind === "phlebotomy" ? "p" : "s";
  const minutes = [startMs, expiresMs].map((ms) => Math.floor(ms / 60_000).toString(36));
  const said = [VERSION, letter, provider, place, ...minutes].join("|");
  const mark = fnv1a(`${teamId}|${said}`).toString(36);
  return Buffer.from(`${said}|${mark}`).toString("base64url");
}

/** What a text stands for, or undefined for one that is no booking key of the team. */
export function readBookingKey(text: string, teamId: string): BookingKey | undefined {
  if (!/^[\w-]{8,200}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64url").toString();
  const [version, letter = "", provider = "", place = "", start = "", expires = "", _mark, ...rest] =
    decoded.split("|");
  const kind = KINDS[letter];
  if (version !== VERSION || kind === undefined || rest.length > 0) return undefined;
  if (!/^[a-z_]{1,40}$/.test(provider) || !/^[A-Za-z0-9-]{1,20}$/.test(place)) return undefined;
  const [startMs, expiresMs] = [start, expires].map(instantOf);
  if (startMs === undefined || expiresMs === undefined) return undefined;
  const key = { kind, provider, place, startMs, expiresMs };
  return bookingKey(key, teamId) === text ? key : undefined;
}

const instantOf = (text: string) => (/^[0-9a-z]{1,7}$/.test(text) ? Number.parseInt(text, 36) * 60_000 : undefined);

/** Why the time of a booking key can not be had. */
export type KeyRefusal =
  /** The key was given out too long ago. */
  | "expired"
  /** It is for another kind of appointment, or for a place or provider that does not serve the order. */
  | "other_place"
  /** No such time is offered, or it has passed. */
  | "not_offered";

/** Where an order's sample can be taken. */
export interface ServedPlace {
  readonly kind: SlotKind;
  readonly zone: string;
  readonly serves: (provider: string, place: string) => boolean;
}

/**
 * The time that a booking key stands for. Keys carry no signature: their time is looked up again among those that are
 * offered now, so one that somebody made up can be no more than one that was given out.
 */
export function keptSlot(key: BookingKey, at: ServedPlace, nowMs: number): Slot | KeyRefusal {
  if (key.kind !== at.kind || !at.serves(key.provider, key.place)) return "other_place";
  if (key.expiresMs <= nowMs || key.expiresMs > nowMs + BOOKING_KEY_LIFE_MS) return "expired";
  return slotAt(key.kind, at.zone, key.startMs, nowMs) ?? "not_offered";
}
