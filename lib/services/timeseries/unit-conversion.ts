import { needsUnitConversion, type RawBatch } from "../../domain/ingest/accept-batch.ts";
import type { ConverterLookup } from "../../domain/timeseries/units.ts";

/** Rounds off errors of binary fractions: half a litre is 500 mL, not 500.00000000000006. */
const SIGNIFICANT_DIGITS = 12;

/**
 * Loads the UCUM library to convert the units of a request. Undefined if all units are native. The library is large and
 * most requests do not need it, so the first request with a foreign unit loads it.
 */
export async function loadUnitConverter(resources: RawBatch["resources"]): Promise<ConverterLookup | undefined> {
  if (!needsUnitConversion(resources)) return undefined;
  const { default: library } = await import("@lhncbc/ucum-lhc");
  const ucum = library.UcumLhcUtils.getInstance();
  return ({ from, to, molarMass = null }) => {
    const convert = (value: number) => ucum.convertUnitTo(from, value, to, { molecularWeight: molarMass });
    try {
      const { status, msg } = convert(1);
      // A message with a success status means that the library guessed the unit.
      if (status !== "succeeded" || msg.length > 0) return undefined;
    } catch {
      return undefined; // unparsable unit
    }
    return (value) => Number((convert(value).toVal ?? Number.NaN).toPrecision(SIGNIFICANT_DIGITS));
  };
}
