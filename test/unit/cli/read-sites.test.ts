import { describe, expect, test } from "vitest";
import { parseCsv } from "../../../lib/cli/parse-csv.ts";
import { readSites } from "../../../lib/cli/read-sites.ts";

const COLUMNS = "lab,site_code,name,first_line,city,state,zip_code,lat,lng";
const SITE = 'quest,PHX-1,"Draw site ""A"", downtown",1 Main Street,Phoenix,AZ,85004,33.45,-112.07';

describe("a list of sites", () => {
  test("needs nine columns and accepts all columns in any order", () => {
    const head = `capabilities,hours,${COLUMNS},bill_types`;
    const { sites, problems } = readSites(
      `${head}\r\nstat; stat,Mo-Fr 07:00-15:00,${SITE},client_bill;patient_bill\r\n`,
    );
    expect(problems).toEqual([]);
    expect(sites).toEqual([
      {
        lab: "quest",
        site_code: "PHX-1",
        name: 'Draw site "A", downtown',
        first_line: "1 Main Street",
        second_line: null,
        city: "Phoenix",
        state: "AZ",
        zip_code: "85004",
        lat: 33.45,
        lng: -112.07,
        phone_number: null,
        fax_number: null,
        website: null,
        hours: "Mo-Fr 07:00-15:00",
        capabilities: ["stat"],
        bill_types: ["client_bill", "patient_bill"],
      },
    ]);
  });

  test("is rejected with its missing, unknown and repeated columns", () => {
    expect(readSites("lab,lab,price\n").problems).toEqual([
      ...["site_code", "name", "first_line", "city", "state", "zip_code", "lat", "lng"].map(
        (name) => `the column ${name} is missing`,
      ),
      "the column price is unknown",
      "the column lab is duplicated",
    ]);
    expect(readSites("").problems).toHaveLength(9);
  });

  test("is rejected with every invalid value by line and column", () => {
    const text = [
      COLUMNS,
      SITE,
      SITE,
      "nobody,x y,,1 Main Street,Phoenix,ZZ,8500,91,abc",
      "quest,PHX-2,Name",
      '"quest\n",PHX-3,Name,1 Main Street,Phoenix,AZ,85004,33.45,-112.07',
    ].join("\n");
    const { problems } = readSites(text);
    expect(problems[0]).toBe("line 3, site_code: duplicates line 2");
    const columns = problems
      .filter((problem) => problem.startsWith("line 4"))
      .map((problem) => problem.split(/[ :]/)[2]);
    expect(columns).toEqual(["lab", "site_code", "name", "state", "zip_code", "lat", "lng"]);
    expect(problems).toContain("line 5: has 3 values for 9 columns");
    expect(problems.some((problem) => problem.startsWith("line 6"))).toBe(false);
  });
});

describe("parseCsv", () => {
  test("supports quotes, doubled quotes, line breaks in values, empty lines, and a byte order mark", () => {
    expect(parseCsv('\uFEFFa,"b\n""c"""\n\n,\nlast')).toEqual([
      { line: 1, values: ["a", 'b\n"c"'] },
      { line: 4, values: ["", ""] },
      { line: 5, values: ["last"] },
    ]);
    expect(parseCsv("")).toEqual([]);
    expect(parseCsv("a,\n")).toEqual([{ line: 1, values: ["a", ""] }]);
    expect(parseCsv("a,")).toEqual([{ line: 1, values: ["a", ""] }]);
  });

  test.each(['a\n"b', 'a\nb"c', 'a\n"b"c'])("reports the line of the error in %j", (text) => {
    expect(() => parseCsv(text)).toThrow("line 2");
  });
});
