import type { Catalogue } from "./catalogue.ts";
import type { LabTestDraft } from "./lab-test.ts";
import { type Lab, labOf } from "./labs.ts";
import type { Marker } from "./marker.ts";

/** Where in a request something can not be had, and why. */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** Whether something can not be had. */
export const isProblems = <T>(found: T | Problem[]): found is Problem[] =>
  Array.isArray(found) && found.every((one) => "msg" in one) && found.length > 0;

/** The markers that a new lab test is made of, all of one lab. */
export interface Chosen {
  readonly lab: Lab;
  readonly markers: readonly Marker[];
}

/**
 * The markers that a draft names, or every reason why it can not be made.
 * @param accountLab the lab of the lab account that the draft names, if any.
 */
export function chooseMarkers(draft: LabTestDraft, catalogue: Catalogue, accountLab?: string): Chosen | Problem[] {
  const { marker_ids, provider_ids, lab_slug } = draft;
  if ((marker_ids == null) === (provider_ids == null)) {
    return [{ loc: ["body", "marker_ids"], msg: "Give either marker_ids or provider_ids" }];
  }
  if (lab_slug != null && !labOf(lab_slug)) return [{ loc: ["body", "lab_slug"], msg: "Not the slug of a lab" }];
  if (lab_slug && accountLab && lab_slug !== accountLab) {
    return [{ loc: ["body", "lab_slug"], msg: "The lab account is of another lab" }];
  }
  const named = labOf(lab_slug ?? accountLab ?? "");
  const chosen = marker_ids ? byId(marker_ids, catalogue, named) : byCode(provider_ids ?? [], catalogue, named);
  if (Array.isArray(chosen)) return chosen;
  if (!chosen.lab.collection_methods.includes(draft.method)) {
    return [{ loc: ["body", "method"], msg: `Not a collection method of ${chosen.lab.slug}` }];
  }
  return chosen;
}

function byId(ids: readonly number[], catalogue: Catalogue, named: Lab | undefined): Chosen | Problem[] {
  const found = [...new Set(ids)].map((id) => catalogue.withId(id));
  const lab = named ?? found.find((marker) => marker !== undefined)?.lab;
  const at = (index: number, msg: string): Problem => ({ loc: ["body", "marker_ids", index], msg });
  const problems = found.flatMap((marker, index) => {
    if (!marker) return at(index, "There is no marker with this id");
    return marker.lab === lab ? [] : at(index, "The marker is of another lab");
  });
  return problems.length > 0 || !lab ? problems : { lab, markers: found.filter((marker) => marker !== undefined) };
}

function byCode(codes: readonly string[], catalogue: Catalogue, lab: Lab | undefined): Chosen | Problem[] {
  if (!lab)
    return [{ loc: ["body", "lab_slug"], msg: "Test codes are those of a lab: give lab_slug or lab_account_id" }];
  const found = [...new Set(codes)].map((code) => catalogue.withCode(lab.id, code));
  const problems = found.flatMap((marker, index) =>
    marker ? [] : { loc: ["body", "provider_ids", index], msg: `Not a test code of ${lab.slug}` },
  );
  return problems.length > 0 ? problems : { lab, markers: found.filter((marker) => marker !== undefined) };
}
