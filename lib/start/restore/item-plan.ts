import type { EntityResource } from "../../contract/resource-kinds.ts";
import * as resources from "../../contract/resources.ts";
import { due, unsent } from "../../contract/table-indexes.ts";
import type { Item, Key } from "../../store/item.ts";

const {
  accessHours,
  auditHours,
  consoleSessions,
  consoleSignIns,
  consoleTickets,
  fhirClients,
  keys,
  lakeTables,
  lakeUsers,
  linkTokens,
  loginAttempts,
  oauthAttempts,
  oauthTickets,
  portalSessions,
  reviewLinks,
  sessions,
  signInTokens,
  userPortalLinks,
} = resources;

/** One-time tokens, which live for minutes, and the lake, whose files name their bucket. They are not restored. */
const left: readonly EntityResource[] = [
  ...[linkTokens, signInTokens, oauthTickets, oauthAttempts, loginAttempts, consoleTickets, consoleSignIns],
  ...[lakeTables, lakeUsers],
];

/** What callers authenticate with, and the hours of the logs that wait for their seal. They are restored last. */
const late: readonly EntityResource[] = [
  ...[keys, fhirClients, sessions, portalSessions, consoleSessions, userPortalLinks, reviewLinks],
  ...[accessHours, auditHours],
];

const isOf = (entities: readonly EntityResource[], { pk }: Key) =>
  entities.some(({ keyPrefix }) => pk.startsWith(keyPrefix));

/** Attributes by which timers and the relay of events find work. */
const ACTIVATING = [due.partitionKey, unsent.partitionKey] as const;

/** When a restore writes an item: with the data, after the erasures, or never. */
type ItemPlan = "data" | "late" | "never";

/** Plans the write of an item. */
export const planItem = (item: Key): ItemPlan => (isOf(left, item) ? "never" : isOf(late, item) ? "late" : "data");

/** Splits an item into what is stored with the data, and the attributes that start work on it, which follow last. */
export function separateActivation(item: Item & Key): { readonly inactive: Item & Key; readonly activation: Item } {
  const entries = Object.entries(item);
  const isActivating = ([name]: readonly [string, unknown]) => ACTIVATING.some((one) => one === name);
  return {
    inactive: Object.fromEntries(entries.filter((entry) => !isActivating(entry))) as Item & Key,
    activation: Object.fromEntries(entries.filter(isActivating)),
  };
}
