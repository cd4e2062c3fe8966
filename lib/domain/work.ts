/** Work is counted in units: about what writing one item of a kilobyte takes. */

/** A budget of work: so many units a second, and for how many seconds they add up while nothing is asked. */
export interface WorkRate {
  readonly unitsPerSecond: number;
  readonly burstSeconds: number;
}

/** What a request takes whatever it does: of an API key, and of callers that need few requests. */
export const REQUEST_UNITS = 1;
export const OTHER_REQUEST_UNITS = 5;

/** What a request takes besides that is refused for what it names, of callers without a credential. */
export const REFUSED_UNITS = 5;

/** What a chunk, a summary or a stream takes that is read, merged and written; and how many records take one unit. */
const ITEM_UNITS = 4;
const RECORDS_PER_UNIT = 20;
/** Values that a query looks at, and bytes that are sent or answered, for one unit. */
const VALUES_PER_UNIT = 2_000;
const BYTES_PER_UNIT = 4_096;
/** What reading a lab report takes: seconds of a processor. */
export const REPORT_UNITS = 500;

/** What storing a batch takes. */
export const storingUnits = (items: number, records: number): number =>
  items * ITEM_UNITS + Math.ceil(records / RECORDS_PER_UNIT);

/** What looking at so many values takes. */
export const queryUnits = (values: number): number => Math.ceil(values / VALUES_PER_UNIT);

/** What computing results from so many values takes of which so many rows change. */
export const resultUnits = (values: number, rows: number): number => queryUnits(values) + rows;

/** What taking or answering so many bytes takes. */
export const byteUnits = (bytes: number): number => Math.floor(bytes / BYTES_PER_UNIT);

/** Whose budget it is. A phone spends of its user's and of its team's; all keys of an organisation share one. */
export type Payer =
  | { readonly kind: "team"; readonly teamId: string }
  | { readonly kind: "user"; readonly teamId: string; readonly userId: string }
  | { readonly kind: "links"; readonly teamId: string }
  | { readonly kind: "organisation"; readonly orgId: string; readonly keyId: string }
  | { readonly kind: "address"; readonly group: string };

/** A team's budget lasts for histories of years; what others do is small. */
const BURST_SECONDS = 600;
const SHORT_BURST_SECONDS = 60;
/** The part of a team's work that one phone, all links, or an organisation's own calls may take. */
const SHARE = 1 / 10;
/** The part of it that one address may take without a credential, and what it may take at least. */
const ADDRESS_SHARE = 1 / 100;
const LEAST_ADDRESS_UNITS = 20;

/** The budget of a payer. @param teamUnits what a team may use, units a second. */
export function rateOf({ kind }: Payer, teamUnits: number): WorkRate {
  if (kind === "team") return { unitsPerSecond: teamUnits, burstSeconds: BURST_SECONDS };
  if (kind === "address") {
    const unitsPerSecond = Math.max(teamUnits * ADDRESS_SHARE, LEAST_ADDRESS_UNITS);
    return { unitsPerSecond, burstSeconds: SHORT_BURST_SECONDS };
  }
  const unitsPerSecond = teamUnits * SHARE;
  return { unitsPerSecond, burstSeconds: kind === "user" ? BURST_SECONDS : SHORT_BURST_SECONDS };
}
