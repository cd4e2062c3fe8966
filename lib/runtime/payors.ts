import { createHash } from "node:crypto";
import { type Payor, toPayor } from "../domain/insurance/payor.ts";

let listed: Promise<Payor[]> | undefined;

/** The payors that come with the service. */
export function listedPayors(): Promise<Payor[]> {
  listed ??= import("../../data/insurance/payors.json", { with: { type: "json" } }).then(({ default: rows }) =>
    rows.map(toPayor),
  );
  return listed;
}

/** A code for a payor that a team adds: the same for the same payor, so that adding it again is harmless. */
export function codeFor(payor: Omit<Payor, "payor_code">): string {
  const { name, org_address, provider, provider_payor_id } = payor;
  const text = JSON.stringify([name.toLowerCase(), org_address, provider, provider_payor_id]);
  return `T${createHash("sha256").update(text).digest("hex").slice(0, 15).toUpperCase()}`;
}
