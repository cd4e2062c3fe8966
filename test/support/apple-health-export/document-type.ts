/** An element of the export: name, content model, required attributes, optional attributes. */
type Element = [name: string, content: string, required: string[], implied: string[]];

const WRITER_ATTRIBUTES = ["sourceVersion", "device", "creationDate"];
const characteristics = [
  "DateOfBirth",
  "BiologicalSex",
  "BloodType",
  "FitzpatrickSkinType",
  "CardioFitnessMedicationsUse",
];
const clinical = ["type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate", "resourceFilePath"];
const rings = ["activeEnergyBurned", "appleMoveTime", "appleExerciseTime", "appleStandHours"];
const hearing = ["leftEarValue", "leftEarUnit", "rightEarValue", "rightEarUnit"];
const totals = ["totalDistance", "totalDistanceUnit", "totalEnergyBurned", "totalEnergyBurnedUnit"];
const statistics = ["average", "minimum", "maximum", "sum", "unit"];
const spanned = ["startDate", "endDate"];
const topLevel = "Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription";
const workoutParts = "MetadataEntry|WorkoutEvent|WorkoutRoute|WorkoutStatistics";

const ELEMENTS: Element[] = [
  ["HealthData", `(ExportDate,Me,(${topLevel})*)`, ["locale"], []],
  ["ExportDate", "EMPTY", ["value"], []],
  ["Me", "EMPTY", characteristics.map((name) => `HKCharacteristicTypeIdentifier${name}`), []],
  [
    "Record",
    "((MetadataEntry|HeartRateVariabilityMetadataList)*)",
    ["type", "sourceName", ...spanned],
    ["unit", "value", ...WRITER_ATTRIBUTES],
  ],
  ["Correlation", "((MetadataEntry|Record)*)", ["type", "sourceName", ...spanned], WRITER_ATTRIBUTES],
  [
    "Workout",
    `((${workoutParts})*)`,
    ["workoutActivityType", "sourceName", ...spanned],
    ["duration", "durationUnit", ...totals, ...WRITER_ATTRIBUTES],
  ],
  ["WorkoutActivity", "((MetadataEntry)*)", ["uuid", "startDate"], ["endDate", "duration", "durationUnit"]],
  ["WorkoutEvent", "((MetadataEntry)*)", ["type", "date"], ["duration", "durationUnit"]],
  ["WorkoutStatistics", "EMPTY", ["type", ...spanned], statistics],
  ["WorkoutRoute", "((MetadataEntry|FileReference)*)", ["sourceName", ...spanned], WRITER_ATTRIBUTES],
  ["FileReference", "EMPTY", ["path"], []],
  ["ActivitySummary", "EMPTY", [], ["dateComponents", ...rings.flatMap(ringAttributes)]],
  ["MetadataEntry", "EMPTY", ["key", "value"], []],
  ["HeartRateVariabilityMetadataList", "(InstantaneousBeatsPerMinute*)", [], []],
  ["InstantaneousBeatsPerMinute", "EMPTY", ["bpm", "time"], []],
  ["ClinicalRecord", "EMPTY", clinical, []],
  ["Audiogram", "(SensitivityPoint*)", ["type", "sourceName", ...spanned], WRITER_ATTRIBUTES],
  ["SensitivityPoint", "EMPTY", ["frequencyValue", "frequencyUnit"], hearing],
];

const NOTES: Record<string, string> = {
  HealthData: "HealthKit Export Version: 14",
  Correlation: "Note: Records inside a correlation are also top-level records of this document.",
  HeartRateVariabilityMetadataList: "Note: the beats, as instantaneous rates, from which a variability was computed.",
};

/**
 * The inline document type of the Health app's export, format version 14, with its comments and `>` on separate lines.
 */
export function documentType(): string {
  return `<!DOCTYPE HealthData [\n${ELEMENTS.map(declaration).join("")}]>\n`;
}

function declaration([name, content, required, implied]: Element): string {
  const note = NOTES[name] === undefined ? "" : `<!-- ${NOTES[name]} -->\n`;
  const element = `${note}<!ELEMENT ${name} ${content}>\n`;
  const widest = Math.max(0, ...[...required, ...implied].map(({ length }) => length));
  const lines = [
    ...required.map((attribute) => `  ${attribute.padEnd(widest)} CDATA #REQUIRED\n`),
    ...implied.map((attribute) => `  ${attribute.padEnd(widest)} CDATA #IMPLIED\n`),
  ];
  return lines.length === 0 ? element : `${element}<!ATTLIST ${name}\n${lines.join("")}>\n`;
}

function ringAttributes(ring: string): string[] {
  const unit = ring === "activeEnergyBurned" ? [`${ring}Unit`] : [];
  return [ring, `${ring}Goal`, ...unit];
}
