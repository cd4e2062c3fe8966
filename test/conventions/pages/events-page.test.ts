import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { catalogue, dataResourceNames } from "../../../lib/events/catalogue/catalogue.ts";
import { eventFamilies } from "../../../lib/events/catalogue/event-families.ts";

const page = readFileSync("docs/events.md", "utf8");

/** The text of a section, up to the next heading. */
function section(heading: string): string {
  const [, text = ""] = page.split(`\n${heading}\n`);
  return text.split(/^#/m)[0] ?? "";
}

const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
const resources = codes(section("### Resources"));

describe("docs/events.md", () => {
  test("lists exactly the types of the catalogue in its table", () => {
    const firstCells = [...section("## Types").matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = ""]) => cell);
    const types = firstCells.flatMap((cell) =>
      cell.includes("<resource>") ? dataResourceNames.map((name) => cell.replace("<resource>", name)) : [cell],
    );
    expect(types.toSorted()).toEqual(catalogue.map(({ type }) => type).toSorted());
  });

  test("lists every resource", () => {
    expect([...new Set(resources)].toSorted()).toEqual(dataResourceNames.toSorted());
  });

  test("lists every family by its prefix", () => {
    const prefixes = codes(section("## Types")).filter((code) => code.endsWith("."));
    expect(prefixes).toEqual(eventFamilies.map(({ prefix }) => prefix));
  });
});
