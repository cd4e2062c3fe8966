import { interfaceStatements } from "./interface-statements.ts";
import { resourceStatements } from "./resource-statements.ts";

/** One claim of the specification that a test can prove or refute; tests name the claim they prove by its id. */
export interface SpecRow {
  id: string;
  section: string;
  statement: string;
}

const statementsBySection: readonly Readonly<Record<string, Readonly<Record<string, string>>>>[] = [
  resourceStatements,
  interfaceStatements,
];

/** Every normative statement of the specification, in its order; what it leaves open is no row. */
export const specRows: readonly SpecRow[] = statementsBySection.flatMap((sections) =>
  Object.entries(sections).flatMap(([section, statements]) =>
    Object.entries(statements).map(([id, statement]) => ({ id, section, statement })),
  ),
);

/** Ids of the rows about pages, which the browser tests prove (`npm run test:browser`). */
export const browserProvenIds: readonly string[] = [
  "linking-03",
  "linking-04",
  "linking-06",
  "linking-07",
  "linking-10",
  "linking-11",
  "linking-15",
  "linking-18",
];

/** Ids of the rows that no test proves yet, in the order of the rows; the list only ever shrinks. */
export const unprovenIds: readonly string[] = ["service-02", "user-fields-08", "events-34"];
