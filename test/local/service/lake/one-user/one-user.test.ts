import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../../support/service.ts";
import { ingestBatch } from "../../ingest/ingest-batch.ts";
import { lakePath } from "../lake-files.ts";
import { measures, type Reading, ways } from "./one-user-sheet.ts";
import { days, userData } from "./user-data.ts";

const PAGE = "docs/figures/one-user.md";

const names = Object.keys(ways) as (keyof typeof ways)[];
let service: TestService;
const sheets = new Map<string, Reading>();
beforeAll(async () => {
  service = await TestService.start(undefined, { lake: true });
  await service.manage("POST", lakePath(service), { body: { enabled: true } });
  const userId = await service.createUser("one user");
  // A second user, whose values would change every number.
  await ingestBatch(service, await service.createUser("another user"), userData);
  await ingestBatch(service, userId, userData);
  await service.advance(5 * 60_000);
  for (const name of names) sheets.set(name, await ways[name](service, userId));
}, 120_000);
afterAll(() => service.stop());

const rows = () => measures.flatMap((measure) => days.map((day) => ({ measure, day })));

test.each(names.slice(1))("%s has each number of the API", (name) => {
  const numbersOf = (way: string) =>
    rows().map(({ measure, day }) => [measure.what, day, sheets.get(way)?.(measure, day)]);
  expect(numbersOf(name)).toEqual(numbersOf("API"));
});

/** With `UPDATE_DOCS=1` the test writes the page. */
test("the page shows the sheet", () => {
  const lines = rows().map(({ measure, day }) => {
    const numbers = names.map((name) => String(sheets.get(name)?.(measure, day)));
    return `| ${[measure.what, measure.unit, day, ...numbers].join(" | ")} |`;
  });
  const page = `${[
    "# One user in three ways",
    "",
    "This page is generated. A test sends three days of one user, and reads them by the ordinary API, by the [FHIR](../fhir.md) interface in two ways,",
    "and from the files of the [lake](../lake.md) with DuckDB. It fails if a number differs.",
    "",
    `| What | Unit | Day | ${names.join(" | ")} |`,
    `|---|---|---|${names.map(() => "--:|").join("")}`,
    ...lines,
  ].join("\n")}\n`;
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, "utf8")).toBe(page);
});
