import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lakeTable, lakeTableNames } from "../../../lib/domain/lake/lake-tables.ts";

const page = readFileSync("docs/lake.md", "utf8");

test.each(lakeTableNames)("docs/lake.md lists the columns of %s", (name) => {
  const [, section = ""] = page.split(`### \`${name}\`\n`);
  const rows = section.split(/\n##/)[0]?.match(/^\| `.*$/gm);
  expect(rows).toEqual(
    lakeTable(name).columns.map(
      (column) => `| \`${column.name}\` | ${column.type}${column.isRequired ? "" : ", optional"} | ${column.meaning} |`,
    ),
  );
});

test.each(lakeTableNames)("the columns of %s have ids of their own", (name) => {
  const ids = lakeTable(name).columns.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
