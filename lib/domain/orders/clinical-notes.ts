/** The laboratories that print comments on their requisitions (spec, Endpoints known only by name: four of them). */
const PRINTING_LABS = ["labcorp", "quest", "sonora_quest", "bioreference"];

/** Whether the laboratory with this slug prints the comment of a requisition. */
export const printsNotes = (lab: string | undefined): boolean => lab !== undefined && PRINTING_LABS.includes(lab);

/**
 * The comment of a requisition: that of the order and the default of the lab account, on lines of their own. A laboratory
 * that prints no comments is not given the account's.
 */
export function clinicalNotes(
  lab: string | undefined,
  given: string | null | undefined,
  accountDefault: string | null,
): string | null {
  const parts = [given, printsNotes(lab) ? accountDefault : null]
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join("\n");
}
