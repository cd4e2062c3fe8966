/** Work is measured in units; one unit is about the cost of writing one item of 1 KB. */

/** Rate of a work budget: units per second, and for how many seconds unused units accumulate (a token bucket). */
export interface WorkRate {
  readonly unitsPerSecond: number;
  readonly burstSeconds: number;
}

/** Base cost of a request: with an API key, and of other callers, which send few requests. */
export const REQUEST_UNITS = 1;
export const NON_KEY_REQUEST_UNITS = 5;

/** Extra cost of a request that is refused for an identifier it names, for callers without credentials. */
export const REFUSED_REQUEST_UNITS = 5;

/** Cost of reading, merging and writing one chunk, summary or stream; and records per unit. */
const ITEM_UNITS = 4;
const RECORDS_PER_UNIT = 20;
/** Values that a query reads, and bytes sent or returned, per unit. */
const VALUES_PER_UNIT = 2_000;
const BYTES_PER_UNIT = 4_096;
/** Cost of parsing a lab report: seconds of CPU time. */
export const REPORT_UNITS = 500;

/** Cost of storing a batch. */
export const storageUnits = (items: number, records: number): number =>
  items * ITEM_UNITS + Math.ceil(records / RECORDS_PER_UNIT);

/** Cost of reading values in a query. */
export const queryUnits = (values: number): number => Math.ceil(values / VALUES_PER_UNIT);

/** Cost of computing results from `values` values when `rows` rows change. */
export const resultUnits = (values: number, rows: number): number => queryUnits(values) + rows;

/** Cost of receiving or returning bytes. */
export const byteUnits = (bytes: number): number => Math.floor(bytes / BYTES_PER_UNIT);

/** Owner of a budget. A phone spends from its user's and its team's budget; all keys of an organisation share one. */
export type BudgetOwner =
  | { readonly kind: "team"; readonly teamId: string }
  | { readonly kind: "user"; readonly teamId: string; readonly userId: string }
  | { readonly kind: "links"; readonly teamId: string }
  | { readonly kind: "organisation"; readonly orgId: string; readonly keyId: string }
  | { readonly kind: "address"; readonly group: string };

/** A team's budget accumulates long enough for histories of years; other callers send little. */
const BURST_SECONDS = 600;
const SHORT_BURST_SECONDS = 60;
/** Share of a team's rate for one phone, all links, or an organisation's own calls. */
const OWNER_SHARE = 1 / 10;
/** Share of a team's rate for one address without a credential, and its minimum. */
const ADDRESS_SHARE = 1 / 100;
const MIN_ADDRESS_UNITS = 20;

/** The rate of a budget owner. @param teamUnits the team's rate, units per second. */
export function workRateOf({ kind }: BudgetOwner, teamUnits: number): WorkRate {
  if (kind === "team") return { unitsPerSecond: teamUnits, burstSeconds: BURST_SECONDS };
  if (kind === "address") {
    const unitsPerSecond = Math.max(teamUnits * ADDRESS_SHARE, MIN_ADDRESS_UNITS);
    return { unitsPerSecond, burstSeconds: SHORT_BURST_SECONDS };
  }
  const unitsPerSecond = teamUnits * OWNER_SHARE;
  return { unitsPerSecond, burstSeconds: kind === "user" ? BURST_SECONDS : SHORT_BURST_SECONDS };
}
