/** Equivalent spellings of each unit of the service, including those of HealthKit, Health Connect and UCUM. */
export const unitSpellings: Readonly<Record<string, readonly string[]>> = {
  count: ["1", "counts", "{count}"],
  index: ["1", "count", "{index}"],
  m: ["meter", "meters", "metre", "metres"],
  kcal: ["Cal", "kilocalorie", "kilocalories"],
  min: ["mins", "minute", "minutes"],
  minutes: ["min", "mins", "minute"],
  "%": ["percent"],
  kg: ["kgs", "kilogram", "kilograms"],
  cm: ["centimeter", "centimeters", "centimetre", "centimetres"],
  "°C": ["degC", "Cel", "C", "celsius"],
  L: ["l", "liter", "liters", "litre", "litres"],
  "L/min": ["l/min"],
  unit: ["units", "U", "IU", "iU", "[iU]"],
  grams: ["g", "gram"],
  mL: ["ml", "milliliter", "milliliters", "millilitre", "millilitres"],
  "mL/kg/min": [
    "ml/kg/min",
    "mL/min/kg",
    "mL/min·kg",
    "mL/kg·min",
    "mL/(kg·min)",
    "ml/(kg*min)",
    "mL/(kg.min)",
    "milliliters_per_minute_kilogram",
  ],
  bpm: ["count/min", "/min", "1/min", "beats/min", "breaths/min", "{beats}/min", "{breaths}/min", "beats_per_minute"],
  rmssd: ["ms"],
  "mmol/L": ["mmol/l", "millimoles_per_liter"],
  mmHg: ["mm[Hg]", "millimeters_of_mercury"],
  mV: ["millivolt", "millivolts"],
};

/** Spellings that are valid for one resource only. */
export const spellingsByResource: Readonly<Record<string, readonly string[]>> = {
  steps: ["step", "steps"],
  floors_climbed: ["floor", "floors"],
  body_mass_index: ["kg/m2", "kg/m^2", "kg/m²"],
  // A difference of two rates one minute apart.
  heart_rate_recovery_one_minute: ["bpm", "count/min", "/min", "{beats}/min"],
};

/**
 * UCUM code of each unit that other units convert to. Counts are excluded: UCUM treats 1 and percent as the same kind,
 * so "50 %" would become half a step.
 */
export const ucumCodes: Readonly<Record<string, string>> = {
  m: "m",
  kcal: "kcal",
  min: "min",
  minutes: "min",
  "%": "%",
  kg: "kg",
  cm: "cm",
  "°C": "Cel",
  L: "L",
  "L/min": "L/min",
  grams: "g",
  mL: "mL",
  "mL/kg/min": "mL/kg/min",
  bpm: "/min",
  rmssd: "ms",
  "mmol/L": "mmol/L",
  mmHg: "mm[Hg]",
  mV: "mV",
};

/** UCUM code -> spellings of phones and providers. In UCUM, "ft" and "pt" alone are femtotonnes and picotonnes. */
const foreignSpellings: Readonly<Record<string, readonly string[]>> = {
  "[lb_av]": ["lb", "lbs", "pound", "pounds"],
  "[oz_av]": ["oz", "ounce", "ounces"],
  "[stone_av]": ["st", "stone", "stones"],
  mg: ["milligram", "milligrams"],
  ug: ["mcg", "µg", "μg", "microgram", "micrograms"],
  "[degF]": ["degF", "°F", "F", "fahrenheit"],
  K: ["kelvin"],
  km: ["kilometer", "kilometers", "kilometre", "kilometres"],
  mm: ["millimeter", "millimeters", "millimetre", "millimetres"],
  "[mi_i]": ["mi", "mile", "miles"],
  "[yd_i]": ["yd", "yds", "yard", "yards"],
  "[ft_i]": ["ft", "foot", "feet"],
  "[in_i]": ["in", "inch", "inches"],
  kJ: ["kilojoule", "kilojoules"],
  J: ["joule", "joules"],
  ms: ["msec", "millisecond", "milliseconds"],
  s: ["sec", "secs", "second", "seconds"],
  h: ["hr", "hrs", "hour", "hours"],
  d: ["day", "days"],
  "[foz_us]": ["fl oz", "fl. oz.", "fl_oz", "floz", "fl_oz_us", "fluid ounce", "fluid ounces", "fluid_ounces_us"],
  "[foz_br]": ["fl_oz_imp"],
  "[cup_us]": ["cup", "cups", "cup_us"],
  "[pt_br]/2": ["cup_imp"],
  "[pt_us]": ["pt", "pint", "pints", "pt_us"],
  "[pt_br]": ["pt_imp"],
  "[qt_us]": ["qt", "quart", "quarts"],
  "[gal_us]": ["gal", "gallon", "gallons"],
  "[MET]": ["MET", "METs"],
  "/s": ["count/s", "1/s"],
  "mg/dL": ["mg/dl", "milligrams_per_deciliter"],
  "umol/L": ["µmol/L", "μmol/L"],
  "ug/dL": ["µg/dL", "μg/dL", "mcg/dL"],
  uV: ["µV", "μV", "mcV", "microvolt", "microvolts"],
  "[lb_av]/[in_i]2": ["lb/in2", "lb/in^2", "lb/in²"],
};

/** Spelling -> UCUM code, for units of the service and others. */
export const ucumCodesBySpelling: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ucumCodes).flatMap(([unit, code]) =>
    [unit, ...(unitSpellings[unit] ?? [])].map((spelling) => [spelling, code] as const),
  ),
  ...Object.entries(foreignSpellings).flatMap(([code, spellings]) =>
    spellings.map((spelling) => [spelling, code] as const),
  ),
]);
