import { Diagnoses } from "../domain/insurance/diagnoses.ts";

let loaded: Promise<Diagnoses> | undefined;

/** The diagnosis codes of the data file, read by the first request that needs them. */
export function diagnoses(): Promise<Diagnoses> {
  loaded ??= import("../../data/insurance/diagnoses.json", { with: { type: "json" } }).then(
    ({ default: data }) => new Diagnoses(data),
  );
  return loaded;
}
