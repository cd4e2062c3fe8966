import { interfaceStatements } from "./spec-rows-interface.ts";
import { resourceStatements } from "./spec-rows-resources.ts";

/** One statement of the specification that a test can prove. Tests name it by its id. */
export interface SpecRow {
  id: string;
  section: string;
  statement: string;
}

const statementsBySection: readonly Readonly<Record<string, Readonly<Record<string, string>>>>[] = [
  resourceStatements,
  interfaceStatements,
];

/** Every normative statement of the specification, in order. Its open questions have no row. */
export const specRows: readonly SpecRow[] = statementsBySection.flatMap((sections) =>
  Object.entries(sections).flatMap(([section, statements]) =>
    Object.entries(statements).map(([id, statement]) => ({ id, section, statement })),
  ),
);

/** Ids of the statements about pages, which browser tests prove (`npm run test:browser`). */
export const inBrowser: readonly string[] = [
  "linking-03",
  "linking-04",
  "linking-06",
  "linking-07",
  "linking-10",
  "linking-11",
  "linking-15",
  "linking-18",
];

/** Ids of the statements without a test, in order; the list only shrinks. */
export const notYet: readonly string[] = ["service-02", "user-fields-08", "events-34"];
