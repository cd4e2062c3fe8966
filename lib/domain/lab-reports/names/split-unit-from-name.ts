import { dimensionOf } from "../row/report-units.ts";

const BRACKETED = /^(.*\S)\s*[([]\s*([^()[\]]+?(?:\s*\([^()]*\))?)\s*[)\]]$/;
const BEHIND_COMMA = /^(.*\S)\s*,\s*(%|[^\s,]+\/[^,]+)$/;

/** Splits a name from the unit behind it, in brackets or after a comma; null without a unit. */
export function splitUnitFromName(printed: string): { readonly name: string; readonly units: string } | null {
  const [, name = "", units = ""] = BRACKETED.exec(printed) ?? BEHIND_COMMA.exec(printed) ?? [];
  const dimension = units === "" ? null : dimensionOf(units);
  return dimension === null || dimension === "ratio" ? null : { name, units };
}
