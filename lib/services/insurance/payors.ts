import { createHash } from "node:crypto";
import { type Payor, toPayor } from "../../domain/insurance/payor.ts";

let listed: Promise<Payor[]> | undefined;

/** Loads the payors of the data file. The first call reads the file; later calls share the result. */
export function loadPayors(): Promise<Payor[]> {
  listed ??= import("../../../data/insurance/payors.json", { with: { type: "json" } }).then(({ default: rows }) =>
    rows.map(toPayor),
  );
  return listed;
}

/** Derives the code of a payor that a team adds. Equal payors get equal codes, so adding one again changes nothing. */
export function derivePayorCode(payor: Omit<Payor, "payor_code">): string {
  const { name, org_address, provider, provider_payor_id } = payor;
  const text = JSON.stringify([name.toLowerCase(), org_address, provider, provider_payor_id]);
  return `T${createHash("sha256").update(text).digest("hex").slice(0, 15).toUpperCase()}`;
}
