import { Catalogue } from "../../domain/lab-tests/catalogue.ts";
import type { RequestProblem } from "../../domain/lab-tests/select-markers.ts";
import { ValidationFailed } from "../../runtime/errors.ts";

let loaded: Promise<Catalogue> | undefined;

/** Loads and unpacks the catalogue of this build. The first call loads it; later calls share the result. */
export function loadLabCatalogue(): Promise<Catalogue> {
  loaded ??= import("../../../data/lab-catalogue/catalogue.json", { with: { type: "json" } }).then(
    ({ default: packed }) => new Catalogue(packed),
  );
  return loaded;
}

/** The validation error for problems with an order set. */
export const toValidationFailed = (problems: readonly RequestProblem[]): ValidationFailed =>
  new ValidationFailed(problems.map(({ loc, msg }) => ({ loc, msg, type: "value_error" })));
