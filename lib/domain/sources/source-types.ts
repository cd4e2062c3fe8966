/** The kinds of device or app that data comes from, as known today (the list is open). */
export const sourceTypes = [
  "unknown",
  "phone",
  "watch",
  "app",
  "multiple_sources",
  "fingerprick",
  "cuff",
  "manual_scan",
  "automatic",
  "insulin_pump",
  "scale",
  "chest_strap",
  "ring",
  "lab",
  "exercise_machine",
  "earphone",
] as const;
