import { hasForeignUnit, type RawBatch } from "../domain/acceptance.ts";
import type { ConverterOf } from "../domain/timeseries/units.ts";

/** Keeps what binary fractions add out of what is stored: half a litre is 500 mL and not 500.00000000000006. */
const SIGNIFICANT_DIGITS = 12;

/**
 * What converts the units of a request, by the UCUM library; undefined where they are the service's own. The library is
 * large, and most requests have no need of it: it is loaded by the first that has.
 */
export async function converterFor(resources: RawBatch["resources"]): Promise<ConverterOf | undefined> {
  if (!hasForeignUnit(resources)) return undefined;
  const { default: library } = await import("@lhncbc/ucum-lhc");
  const ucum = library.UcumLhcUtils.getInstance();
  return ({ from, to, molarMass = null }) => {
    const convert = (value: number) => ucum.convertUnitTo(from, value, to, { molecularWeight: molarMass });
    try {
      const { status, msg } = convert(1);
      // A message beside success says that the library has guessed what the sender meant.
      if (status !== "succeeded" || msg.length > 0) return undefined;
    } catch {
      return undefined; // what it can not read at all
    }
    return (value) => Number((convert(value).toVal ?? Number.NaN).toPrecision(SIGNIFICANT_DIGITS));
  };
}
