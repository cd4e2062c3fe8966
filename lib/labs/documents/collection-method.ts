import { humanizeCode } from "./patient.ts";

const methods: Readonly<Record<string, string>> = {
  testkit: "Kit by mail",
  walk_in_test: "At a patient service center",
  at_home_phlebotomy: "At home, by a phlebotomist",
  on_site_collection: "On site",
};

/** The display text of a collection method. */
export const collectionMethodText = (method: string): string => methods[method] ?? humanizeCode(method);
