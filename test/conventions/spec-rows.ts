import { interfaceStatements } from "./spec-rows-interface.ts";
import { resourceStatements } from "./spec-rows-resources.ts";

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

/** Ids of the rows that no test proves yet, in the order of the rows; the list only ever shrinks. */
export const notYet: readonly string[] = [
  "service-02",
  "service-03",
  "service-05",
  "user-fields-07",
  "user-fields-08",
  "user-fields-10",
  "user-info-fields-08",
  "user-info-fields-09",
  "connection-recipe-fields-01",
  "connection-recipe-fields-02",
  "connection-recipe-fields-03",
  "other-states-01",
  "other-states-02",
  "other-states-03",
  "other-states-04",
  "other-states-05",
  "users-17",
  "users-18",
  "users-19",
  "users-20",
  "linking-01",
  "linking-02",
  "linking-03",
  "linking-04",
  "linking-05",
  "linking-06",
  "linking-07",
  "linking-08",
  "linking-09",
  "linking-10",
  "linking-11",
  "linking-12",
  "linking-13",
  "linking-14",
  "linking-15",
  "linking-16",
  "linking-17",
  "linking-18",
  "linking-19",
  "linking-20",
  "linking-21",
  "linking-22",
  "linking-23",
  "linking-24",
  "patient-service-centers-and-area-01",
  "patient-service-centers-and-area-02",
  "patient-service-centers-and-area-03",
  "endpoints-known-by-name-01",
  "endpoints-known-by-name-02",
  "endpoints-known-by-name-04",
  "endpoints-known-by-name-05",
  "endpoints-known-by-name-06",
  "endpoints-known-by-name-07",
  "endpoints-known-by-name-11",
  "endpoints-known-by-name-12",
  "endpoints-known-by-name-13",
  "endpoints-known-by-name-14",
  "endpoints-known-by-name-15",
  "endpoints-known-by-name-16",
  "endpoints-known-by-name-17",
  "endpoints-known-by-name-18",
  "endpoints-known-by-name-19",
  "endpoints-known-by-name-20",
  "endpoints-known-by-name-21",
  "authentication-11",
  "authentication-12",
  "events-27",
  "events-28",
  "events-29",
  "events-30",
  "events-31",
  "events-34",
  "limits-06",
  "limits-10",
  "limits-11",
  "limits-12",
  "limits-13",
  "limits-15",
  "versioning-01",
  "versioning-02",
  "versioning-03",
  "versioning-09",
  "versioning-10",
];
