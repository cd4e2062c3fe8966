// @module-tag deep
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../../support/service.ts";
import { testSettings } from "../../../../support/test-settings.ts";
import { exportManifest, readFiles } from "../../fhir/bulk-helpers.ts";
import { readAll } from "../../fhir/fhir-helpers.ts";
import { lakePath } from "../lake-files.ts";
import { fillUser } from "./fill-user.ts";
import { readByApi } from "./read-by-api.ts";
import { readByDuckdb } from "./read-by-duckdb.ts";
import { readFhirResources } from "./read-by-fhir.ts";
import { type Sheet, type SheetRow, sheetRows } from "./sheet.ts";
import { writePage } from "./write-page.ts";

const PAGE = "docs/figures/one-user.md";

let service: TestService;
let ways: Record<"api" | "search" | "bulk" | "duckdb", Sheet>;
beforeAll(async () => {
  service = await TestService.start(undefined, testSettings.lake);
  await service.manage("POST", lakePath(service), { body: { enabled: true } });
  const userId = await fillUser(service);
  const { manifest } = await exportManifest(service, "/Patient/$export");
  ways = {
    api: await readByApi(service, userId),
    search: readFhirResources(await readAll(service, `/Patient/${userId}/$everything?_count=1000`)),
    bulk: readFhirResources(await readFiles(service, manifest)),
    duckdb: await readByDuckdb(service, userId),
  };
});
afterAll(() => service.stop());

/** Columns with a number, of the rows that do not have one on each of the seven days. */
const daysWithNumber: Partial<Record<SheetRow, number>> = { weight: 2, labGlucose: 1, completed: 1, open: 1 };
const numbers = (sheet: Sheet, row: SheetRow) => Object.fromEntries(sheet.get(row) ?? []);

test.each(Object.keys(sheetRows) as SheetRow[])("%s is the same in the API, in FHIR and in the lake", (row) => {
  const expected = numbers(ways.api, row);
  expect(Object.keys(expected)).toHaveLength(daysWithNumber[row] ?? 7);
  expect(numbers(ways.search, row)).toEqual(expected);
  expect(numbers(ways.bulk, row)).toEqual(expected);
  // The lake has no results of laboratories.
  expect(numbers(ways.duckdb, row)).toEqual(row === "labGlucose" ? {} : expected);
});

// To accept other numbers: UPDATE_DOCS=1 npm test -- test/local/service/lake/one-user/one-user.deep.test.ts
test("the page of one user is current", () => {
  const page = writePage([
    ["API", ways.api],
    ["FHIR search", ways.search],
    ["FHIR bulk export", ways.bulk],
    ["Lake, DuckDB", ways.duckdb],
  ]);
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page);
  else expect(readFileSync(PAGE, "utf8")).toBe(page);
});
