import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { address } from "../../../lib/domain/users/demographics/address.ts";
import { findNameProblem, patientName } from "../../../lib/domain/users/demographics/patient-name.ts";
import { isPossibleBirthDate } from "../../../lib/domain/users/demographics/person.ts";
import { toE164 } from "../../../lib/domain/users/demographics/phone-number.ts";
import { userInfoChanges, userInfoDraft } from "../../../lib/domain/users/demographics/user-info.ts";

/** The name pattern that laboratories publish. */
const published = /^([a-zA-Z0-9]{1})([a-zA-Z0-9-.,']*(\s[a-zA-Z0-9-.,']+)*[a-zA-Z0-9-.,']?)$/;

describe("a patient's name", () => {
  test("is rejected exactly when the published pattern rejects it or it is too long", () => {
    const letter = fc.constantFrom(..."aZ9-.,' \té_/😀".split(""));
    const nearly = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(""));
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string(), fc.stringMatching(/^[a-z][a-z .']{0,60}$/)), (name) => {
        const isTaken = published.test(name) && name.length <= 50;
        expect(findNameProblem(name) === undefined).toBe(isTaken);
        expect(patientName.safeParse(name).success).toBe(isTaken);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ["", "A name needs at least one character"],
    ["a".repeat(51), "A name can have at most 50 characters"],
    [" Ada", "A name cannot start or end with a space"],
    ["Ada ", "A name cannot start or end with a space"],
    ["Ada  Mary", "A name can have only single spaces between words"],
    ["Zoë", "A name can contain only the letters a to z without accents, digits, spaces and - . , '"],
    ["Ada_1", "A name can contain only the letters a to z without accents, digits, spaces and - . , '"],
    ["-Ada", "A name must start with a letter or a digit"],
  ])("%j is rejected with exactly one reason", (name, problem) => {
    expect(patientName.safeParse(name).error?.issues.map(({ message }) => message)).toEqual([problem]);
  });
});

test.each([
  ["+1 (602) 555-0123", "+16025550123"],
  ["602-555-0123", "+16025550123"],
  ["+44 20 8366 1177", "+442083661177"],
  ["+15555550100", "+15555550100"],
  ["+11234567890", undefined],
  ["555-0123", undefined],
  ["call me", undefined],
  ["", undefined],
])("the phone number %j is stored as %j", (text, number) => {
  expect(toE164(text)).toBe(number);
});

const given = { first_line: "1 Main Street", city: "Phoenix", state: "AZ" };
const complete = { ...given, second_line: null, zip_code: "85004", zip: "85004", country: "US", access_notes: null };
/** Field and message of each problem of an address. */
const problems = (value: object) =>
  address.safeParse(value).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

describe("an address", () => {
  test.each([
    [{ zip_code: "85004" }],
    [{ zip: "85004" }],
    [{ zip: "85004", zip_code: "85004", second_line: "", access_notes: "", country: "usa" }],
    [{ zip_code: " 85004 ", zip: null, second_line: null, state: "az" }],
  ])("%j is completed", (fields) => {
    expect(address.parse({ ...given, ...fields })).toEqual(complete);
  });

  test.each([
    [{}, "zip_code: Required"],
    [{ zip: "85004", zip_code: "85005" }, "zip: Differs from zip_code"],
    [{ zip: "8500" }, "zip_code: Expected five digits, or nine with a hyphen"],
    [{ zip: "85004", state: "Arizona" }, "state: Expected the two-letter code of a US state"],
    [{ zip: "85004", country: "Somewhere" }, "country: Expected a two-letter country code, for example US"],
  ])("%j is rejected", (fields, problem) => {
    expect(problems({ ...given, ...fields })).toEqual([problem]);
  });

  test("outside the United States may have states and zip codes of other formats", () => {
    const abroad = { ...given, state: "Greater London", zip: "EC1A 1BB", country: "GB" };
    expect(address.parse(abroad)).toMatchObject({ state: "Greater London", zip_code: "EC1A 1BB", country: "GB" });
  });
});

test("a date of birth may be today anywhere on Earth, and not later", () => {
  const now = Date.parse("2026-05-01T12:00:00Z");
  expect([isPossibleBirthDate("2026-05-02", now), isPossibleBirthDate("2026-05-03", now)]).toEqual([true, false]);
});

test("an omitted field stays, and null removes it [user-info-fields-05]", () => {
  const draft = userInfoDraft.parse({
    first_name: "Ada",
    last_name: "Lovelace",
    email: "ada@example.com",
    phone_number: "+16025550123",
    gender: "female",
    dob: "1985-03-14",
    address: { ...given, zip: "85004" },
    race: null,
  });
  const changes = userInfoChanges(draft);
  expect(Object.keys(changes)).not.toContain("ethnicity");
  expect(Object.keys(changes)).not.toContain("medical_proxy");
  expect(changes.race).toBeNull();
});
