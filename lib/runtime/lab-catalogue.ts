import { Catalogue } from "../domain/lab-tests/catalogue.ts";
import type { Problem } from "../domain/lab-tests/chosen-markers.ts";
import { ValidationFailed } from "./errors.ts";

let loaded: Promise<Catalogue> | undefined;

/** The catalogue that this build carries, loaded and unfolded by the first call that needs it. */
export function labCatalogue(): Promise<Catalogue> {
  loaded ??= import("../../data/lab-catalogue/catalogue.json", { with: { type: "json" } }).then(
    ({ default: packed }) => new Catalogue(packed),
  );
  return loaded;
}

/** The refusal of a request for what can not be had. */
export const refuse = (problems: readonly Problem[]): ValidationFailed =>
  new ValidationFailed(problems.map(({ loc, msg }) => ({ loc, msg, type: "value_error" })));
