import { Diagnoses } from "../domain/insurance/diagnoses.ts";

let loaded: Promise<Diagnoses> | undefined;

/** Loads the diagnosis codes of the data file. The first call reads the file; later calls share the result. */
export function diagnoses(): Promise<Diagnoses> {
  loaded ??= import("../../data/insurance/diagnoses.json", { with: { type: "json" } }).then(
    ({ default: data }) => new Diagnoses(data),
  );
  return loaded;
}
