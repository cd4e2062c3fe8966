/** UCUM codes of the units of laboratory results: those of the catalogue of results, and their usual molar forms. */
const ucumUnits: readonly string[] = [
  ...["%", "/[HPF]", "/[LPF]", "10*3/uL", "10*6/uL", "U/L", "U/mL", "[IU]/mL", "[pH]", "fL", "g/dL", "g/L", "k[IU]/L"],
  ...["mL/min/{1.73_m2}", "m[IU]/L", "m[IU]/mL", "mg/L", "mg/dL", "mg/g", "mm/h", "mmol/L", "mosm/kg", "ng/dL"],
  ...["ng/mL", "nmol/L", "pg", "pg/mL", "pmol/L", "s", "u[IU]/mL", "ug/dL", "ug/L", "ug{FEU}/mL", "umol/L"],
  ...["{INR}", "{SG}", "{ratio}"],
];

/** The UCUM code of a unit as a laboratory reports it; undefined if it is not written in UCUM. */
export const labUnitCode = (unit: string): string | undefined => ucumUnits.find((code) => code === unit);
