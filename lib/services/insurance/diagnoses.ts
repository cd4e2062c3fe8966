import { DiagnosisCatalogue } from "../../domain/insurance/diagnosis-catalogue.ts";

let loaded: Promise<DiagnosisCatalogue> | undefined;

/** Loads the diagnosis codes of the data file. The first call reads the file; later calls share the result. */
export function loadDiagnoses(): Promise<DiagnosisCatalogue> {
  loaded ??= import("../../../data/insurance/diagnoses.json", { with: { type: "json" } }).then(
    ({ default: data }) => new DiagnosisCatalogue(data),
  );
  return loaded;
}
