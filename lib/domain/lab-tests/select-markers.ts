import type { Catalogue } from "./catalogue.ts";
import type { LabTestDraft } from "./lab-test.ts";
import { findLab, type Lab } from "./labs.ts";
import type { Marker } from "./marker.ts";

/** Problem in a request: `loc` is the path of the field, `msg` the reason. */
export interface RequestProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** Whether a value is a non-empty list of problems. */
export const isProblemList = <T>(found: T | RequestProblem[]): found is RequestProblem[] =>
  Array.isArray(found) && found.every((one) => "msg" in one) && found.length > 0;

/** Selected markers of a new lab test, all of one lab. */
export interface SelectedMarkers {
  readonly lab: Lab;
  readonly markers: readonly Marker[];
}

/**
 * Selects the markers that a draft names, or returns every problem of the draft.
 * @param accountLab lab of the lab account that the draft names, if any.
 */
export function selectMarkers(
  draft: LabTestDraft,
  catalogue: Catalogue,
  accountLab?: string,
): SelectedMarkers | RequestProblem[] {
  const { marker_ids, provider_ids, lab_slug } = draft;
  if ((marker_ids == null) === (provider_ids == null)) {
    return [{ loc: ["body", "marker_ids"], msg: "Give either marker_ids or provider_ids" }];
  }
  if (lab_slug != null && !findLab(lab_slug)) return [{ loc: ["body", "lab_slug"], msg: "Unknown lab" }];
  if (lab_slug && accountLab && lab_slug !== accountLab) {
    return [{ loc: ["body", "lab_slug"], msg: "The lab account belongs to another lab" }];
  }
  const named = findLab(lab_slug ?? accountLab ?? "");
  const chosen = marker_ids
    ? selectById(marker_ids, catalogue, named)
    : selectByCode(provider_ids ?? [], catalogue, named);
  if (Array.isArray(chosen)) return chosen;
  if (!chosen.lab.collection_methods.includes(draft.method)) {
    return [{ loc: ["body", "method"], msg: `Not a collection method of ${chosen.lab.slug}` }];
  }
  return chosen;
}

function selectById(
  ids: readonly number[],
  catalogue: Catalogue,
  named: Lab | undefined,
): SelectedMarkers | RequestProblem[] {
  const found = ids.map((id) => catalogue.findById(id));
  const lab = named ?? found.find((marker) => marker !== undefined)?.lab;
  const at = (index: number, msg: string): RequestProblem => ({ loc: ["body", "marker_ids", index], msg });
  const problems = found.flatMap((marker, index) => {
    if (!marker) return at(index, "Unknown marker id");
    return marker.lab === lab ? [] : at(index, "The marker belongs to another lab");
  });
  return problems.length > 0 || !lab ? problems : { lab, markers: listDistinct(found) };
}

function selectByCode(
  codes: readonly string[],
  catalogue: Catalogue,
  lab: Lab | undefined,
): SelectedMarkers | RequestProblem[] {
  if (!lab) return [{ loc: ["body", "lab_slug"], msg: "Test codes need a lab: give lab_slug or lab_account_id" }];
  const found = codes.map((code) => catalogue.findByCode(lab.id, code));
  const problems = found.flatMap((marker, index) =>
    marker ? [] : { loc: ["body", "provider_ids", index], msg: `Not a test code of ${lab.slug}` },
  );
  return problems.length > 0 ? problems : { lab, markers: listDistinct(found) };
}

const listDistinct = (found: readonly (Marker | undefined)[]): Marker[] =>
  [...new Set(found)].filter((marker) => marker !== undefined);
