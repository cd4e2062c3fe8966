import { defineFormat } from "../format.ts";
import type { MappingOutcome } from "../mapping-outcome.ts";
import { readBytes, type SourceFile } from "../reading/source-file.ts";
import { categoryTypes } from "./category-types.ts";
import { readElements } from "./element.ts";
import { ExportMapper } from "./export-mapper.ts";
import { readHealthDataText } from "./health-data-text.ts";
import { mapElectrocardiogram } from "./map-electrocardiogram.ts";
import { mapRoute } from "./map-route.ts";
import { quantityTypes } from "./quantity-types.ts";

const sampled = [...quantityTypes.values(), ...categoryTypes.values()].map(({ resource }) => resource);

/** The export of the Health app of an iPhone, in any language. */
export const appleHealth = defineFormat<ExportMapper>({
  title: "Apple Health export",
  provider: "apple_health_kit",
  facts: [
    "the DTD in each export and Apple's HealthKit documentation",
    "electrocardiograms and routes: tests of public readers",
  ],
  createState: () => new ExportMapper(),
  kinds: [
    {
      name: "export.xml",
      resources: [
        ...sampled,
        "hypnogram",
        "blood_pressure",
        "sleep",
        "workouts",
        "activity",
        "meal",
        "menstrual_cycle",
        "profile",
      ],
      recognise: { head: /<!DOCTYPE HealthData\b|<HealthData[\s>]/ },
      read: readExport,
    },
    {
      name: "electrocardiograms/*.csv",
      resources: ["electrocardiogram", "electrocardiogram_voltage"],
      // The unit is the only text that is the same in all languages.
      recognise: { path: /\.csv$/i, head: /^[^,\n]+,(?:[^\n]*\n){4,24}[^,\n]+,(?:\xc2\xb5|\xce\xbc|u|m)V(?:[\s"]|$)/ },
      async *read(file) {
        yield mapElectrocardiogram((await readBytes(file)).toString("utf8"));
      },
    },
    {
      name: "workout-routes/*.gpx",
      resources: ["workout_stream"],
      recognise: { path: /\.gpx$/i, head: /<gpx[\s>]/ },
      isBeside: true,
      async *read(file, mapper) {
        const workout = mapper.workoutOfRoute(file.path);
        yield [workout ? await mapRoute(file.open(), workout) : { leftOut: "route without workout" }];
      },
    },
  ],
  derive: (mapper) => mapper.derived(),
});

async function* readExport(file: SourceFile, mapper: ExportMapper): AsyncGenerator<readonly MappingOutcome[]> {
  for await (const elements of readElements(readHealthDataText(file.open())))
    yield elements.map((element) => mapper.map(element)).filter((outcome) => outcome !== undefined);
}
