/** Known types of data sources, such as devices and apps; an open enum. */
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
