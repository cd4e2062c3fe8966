/** Laboratories that print clinical notes on their requisitions. */
const PRINTING_LABS = ["labcorp", "quest", "sonora_quest", "bioreference"];

/** Whether the laboratory with this slug prints clinical notes on a requisition. */
export const printsClinicalNotes = (lab: string | undefined): boolean =>
  lab !== undefined && PRINTING_LABS.includes(lab);

/**
 * Joins the clinical notes of an order and the default notes of its lab account, each on its own line. The default
 * notes are left out for a laboratory that does not print notes.
 */
export function clinicalNotes(
  lab: string | undefined,
  given: string | null | undefined,
  accountDefault: string | null,
): string | null {
  const parts = [given, printsClinicalNotes(lab) ? accountDefault : null]
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join("\n");
}
