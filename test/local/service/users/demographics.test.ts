import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { findItemsContaining } from "../support/stored-items.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const UNKNOWN = "5b1d6f0e-0000-4000-8000-000000000000";

const address = { first_line: "1 Main Street", second_line: null, zip_code: "85004", state: "AZ", city: "Phoenix" };
const ada = {
  first_name: "Ada",
  last_name: "O'Neil-Lovelace Jr.",
  email: "ada@example.com",
  phone_number: "+16025550123",
  gender: "female",
  dob: "1985-03-14",
  address,
};
const answeredAddress = { ...address, zip: "85004", country: "US", access_notes: null };
const answered = { ...ada, address: answeredAddress };
const nobody = { medical_proxy: null, race: null, ethnicity: null, sexual_orientation: null, gender_identity: null };
const proxy = { first_name: "Mary", last_name: "Somerville", address, phone_number: "602-555-0199" };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const patch = (userId: string, body: unknown) => service.call("PATCH", `/v2/user/${userId}/info`, { body });
const latest = (userId: string) => service.call("GET", `/v2/user/${userId}/info/latest`);
const insure = (userId: string, body: unknown) => service.call("POST", `/v2/user/${userId}/insurance`, { body });
const latestInsurance = (userId: string, query = "") =>
  service.call("GET", `/v2/user/${userId}/insurance/latest${query}`);

/** Returns the fields that a refusal names. */
const refused = (answer: { status: number; body: { detail: { loc: string[] }[] } }) => {
  expect(answer.status).toBe(422);
  return answer.body.detail.map(({ loc }) => loc.slice(1).join("."));
};
/** Returns the schema of a request or response in the OpenAPI document. */
async function schemaOf(name: string) {
  return (await service.call("GET", "/openapi.json")).body.components.schemas[name].properties;
}

describe("user info", () => {
  test("is stored and returned, with the zip code under both names [users-11] [user-info-fields-02] [user-info-fields-04] [user-info-fields-05]", async () => {
    const userId = await service.createUser("ada");
    expect((await latest(userId)).body.code).toBe("not_found");
    const stored = await patch(userId, ada);
    expect([stored.status, stored.body]).toEqual([200, { ...answered, ...nobody }]);
    expect((await latest(userId)).body).toEqual(stored.body);
    const again = await patch(userId, { ...ada, address: { ...address, zip_code: undefined, zip: "85004" } });
    expect(again.body).toEqual(stored.body);
  });

  test("keeps fields that a later request omits, and deletes fields that it sets to null [user-info-fields-06]", async () => {
    const userId = await service.createUser("in parts");
    const fields = { race: "asian", ethnicity: "a value of next year", gender_identity: "genderqueer" };
    expect((await patch(userId, { ...ada, ...fields, medical_proxy: proxy })).body).toMatchObject(fields);
    const { body } = await patch(userId, { ...ada, first_name: "Augusta", race: null });
    expect(body).toMatchObject({ first_name: "Augusta", race: null, ethnicity: fields.ethnicity });
    const whole = { email: null, household_income: null, household_size: null, phone_number: "+16025550199" };
    expect(body.medical_proxy).toEqual({ ...proxy, ...whole, address: answeredAddress });
    expect((await patch(userId, { ...ada, medical_proxy: null })).body.medical_proxy).toBeNull();
  });

  test.each(Object.keys(ada))("without %s is refused [users-12] [user-info-fields-01]", async (field) => {
    const userId = await service.createUser(`without ${field}`);
    expect(refused(await patch(userId, { ...ada, [field]: undefined }))).toEqual([field]);
    expect((await latest(userId)).status).toBe(404);
  });

  test.each([
    [{ first_name: "-Ada" }, "first_name"],
    [{ last_name: "Zoë" }, "last_name"],
    [{ email: "ada at example" }, "email"],
    [{ phone_number: "12" }, "phone_number"],
    [{ dob: "14.3.1985" }, "dob"],
    [{ dob: "1985-02-30" }, "dob"],
    [{ dob: "1785-03-14" }, "dob"],
    [{ dob: "2999-01-01" }, "dob"],
    [{ gender: "" }, "gender"],
    [{ address: { ...address, zip_code: "1" } }, "address.zip_code"],
    [{ address: { ...address, state: "ZZ" } }, "address.state"],
    [{ address: { ...address, first_line: undefined } }, "address.first_line"],
    [{ medical_proxy: { ...proxy, first_name: " Mary" } }, "medical_proxy.first_name"],
    [{ race: 1 }, "race"],
  ])(
    "with %j is refused with the location of that field alone [users-13] [user-info-fields-02] [user-info-fields-03]",
    async (change, field) => {
      const userId = await service.createUser(`refused ${JSON.stringify(change)}`);
      const answer = await patch(userId, { ...ada, ...change });
      expect(refused(answer)).toEqual([field]);
      const given = Object.values(change).filter((value) => typeof value === "string" && value.length > 2);
      for (const value of given) expect(JSON.stringify(answer.body)).not.toContain(value);
    },
  );

  test("documents the values of its four lists as open enums [user-info-fields-07]", async () => {
    const properties = await schemaOf("UserInfo");
    for (const list of ["race", "ethnicity", "sexual_orientation", "gender_identity"]) {
      expect(JSON.stringify(properties[list])).toMatch(/"x-known-values":\[.*"other"/);
      expect(JSON.stringify(properties[list])).not.toContain('"enum"');
    }
  });

  test("of an unknown user or of another team's user is 404", async () => {
    const userId = await service.createUser("private");
    await patch(userId, ada);
    const { key } = await service.createTeam("Curious");
    const path = `/v2/user/${userId}/info`;
    expect((await service.call("GET", `${path}/latest`, { key })).body.code).toBe("user_not_found");
    expect((await service.call("PATCH", path, { key, body: ada })).body.code).toBe("user_not_found");
    expect((await patch(UNKNOWN, ada)).body.code).toBe("user_not_found");
  });
});

const insured = { ...ada, first_name: "George" };
const draft = { payor_code: "AETNA", member_id: "W123", relationship: "Self", insured };

describe("insurance", () => {
  test("is returned with its company, latest first, and primary insurance separately [users-14] [users-15] [insurance-fields-01] [insurance-fields-03] [insurance-fields-04] [insurance-fields-05] [insurance-fields-06]", async () => {
    const userId = await service.createUser("insured");
    await patch(userId, ada);
    expect((await latestInsurance(userId)).body.code).toBe("not_found");
    const first = await insure(userId, draft);
    expect(first.status).toBe(200);
    const whole = { ...answered, first_name: "George" };
    const company = { name: "Aetna", address: expect.objectContaining({ city: "Hartford", zip: "06156" }) };
    const kept = { id: expect.any(String), created_at: expect.any(String), group_id: null, guarantor: null };
    expect(first.body).toEqual({ ...draft, ...kept, insured: whole, company, is_primary: true });
    await service.advance(1_000);
    const second = await insure(userId, { ...draft, member_id: "W124", group_id: "G1", is_primary: true });
    const other = await insure(userId, { ...draft, member_id: "W125", is_primary: false });
    expect((await latestInsurance(userId)).body).toEqual(second.body);
    expect((await latestInsurance(userId, "?is_primary=true")).body).toEqual(second.body);
    expect((await latestInsurance(userId, "?is_primary=false")).body).toEqual(other.body);
    expect(refused(await latestInsurance(userId, "?is_primary=perhaps"))).toEqual(["is_primary"]);
  });

  test("needs stored user info, a guarantor unless the user is the insured, and a known payor", async () => {
    const userId = await service.createUser("not yet insured");
    expect(await insure(userId, draft)).toMatchObject({ status: 400, body: { code: "not_possible" } });
    await patch(userId, ada);
    expect(refused(await insure(userId, { ...draft, relationship: "Spouse" }))).toEqual(["guarantor"]);
    expect(refused(await insure(userId, { ...draft, payor_code: "NOBODY" }))).toEqual(["payor_code"]);
    expect(refused(await insure(userId, { ...draft, insured: { ...insured, dob: "2999-01-01" } }))).toEqual([
      "insured.dob",
    ]);
    expect(refused(await insure(userId, { ...draft, insured: { ...insured, last_name: "" } }))).toEqual([
      "insured.last_name",
    ]);
    expect((await latestInsurance(userId)).status).toBe(404);
    const spouse = await insure(userId, { ...draft, relationship: "Spouse", guarantor: proxy });
    expect(spouse.body).toMatchObject({ relationship: "Spouse", guarantor: { phone_number: "+16025550199" } });
    expect((await insure(UNKNOWN, draft)).body.code).toBe("user_not_found");
  });

  test("documents the values of relationship as an open enum [insurance-fields-02]", async () => {
    const { relationship } = await schemaOf("Insurance");
    expect(relationship).toEqual({ type: "string", "x-known-values": ["Self", "Spouse", "Other"] });
  });

  test("is refused with a JSON body for a team without the closed beta [users-16] [errors-03]", async () => {
    const { key } = await service.createTeam("Without beta");
    const userId = await service.createUser("elsewhere", key);
    for (const [method, path] of [
      ["GET", "insurance/latest"],
      ["POST", "insurance"],
    ] as const) {
      const answer = await service.call(method, `/v2/user/${userId}/${path}`, {
        key,
        ...(method === "POST" ? { body: draft } : {}),
      });
      expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(answer.body.detail).toContain("insurance");
    }
  });
});

describe("payors", () => {
  const own = { name: "Zenith Mutual", address, provider: "stedi", provider_payor_id: "4711" };
  const create = (body: unknown, key?: string) => service.call("POST", "/v3/payor", { body, ...(key ? { key } : {}) });
  const search = (query: string, key?: string) =>
    service.call("GET", `/v3/insurance/search/payor?${query}`, key ? { key } : {});

  test("of a team belong to that team, are stored once, and can be used in insurance", async () => {
    const { status, body } = await create(own);
    const shown = { name: own.name, aliases: [], org_address: answeredAddress, source: "team" };
    expect([status, body]).toEqual([200, { payor_code: expect.any(String), ...shown }]);
    expect((await create(own)).body).toEqual(body);
    expect((await search("insurance_name=zenith")).body).toEqual([body]);
    expect((await search("provider=stedi&provider_payor_id=4711")).body).toEqual([body]);
    const { key } = await service.createTeam("Other payors");
    expect((await search("insurance_name=zenith", key)).body).toEqual([]);
    const userId = await service.createUser("with own payor");
    await patch(userId, ada);
    const insurance = await insure(userId, { ...draft, payor_code: body.payor_code });
    expect(insurance.body.company).toEqual({ name: own.name, address: answeredAddress });
    expect(refused(await create({ ...own, provider: "nobody", name: "" }))).toEqual(["name", "provider"]);
  });

  test("are found by the legacy search, which names the code `code`", async () => {
    const { body } = await service.call("POST", "/v3/insurance/search/payor", { body: { insurance_name: "aetna" } });
    expect(body[0]).toMatchObject({ code: "AETNA", name: "Aetna", source: "platform" });
    expect(body[0]).not.toHaveProperty("payor_code");
  });
});

test("diagnosis codes can be searched and validated", async () => {
  const found = await service.call("GET", "/v3/insurance/search/diagnosis?diagnosis_query=prediabetes");
  expect(found.body).toEqual([{ diagnosis_code: "R73.03", description: "Prediabetes", is_secondary: false }]);
  expect(refused(await service.call("GET", "/v3/insurance/search/diagnosis?diagnosis_query="))).toEqual([
    "diagnosis_query",
  ]);
  const body = { codes: ["E11.9", "R73.03", "what"] };
  const { body: checked } = await service.call("POST", "/v3/insurance/validate_icd_codes", { body });
  expect(checked).toEqual({
    valid: false,
    errors: ["codes[2] is not in the form of an ICD-10-CM code"],
    violations: [{ code: "E11.9", conflicts_with: "R73.03", type: "excludes1" }],
    warnings: [],
  });
});

test("user info and insurance of a deleted user are 404 at once, and an erasure leaves nothing of them", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("forgotten");
  await patch(userId, { ...ada, last_name: "Unforgettable" });
  await insure(userId, { ...draft, member_id: "M-UNFORGETTABLE" });
  await service.settle();
  expect(await findItemsContaining(service, "M-UNFORGETTABLE")).toHaveLength(1);
  await service.call("DELETE", `/v2/user/${userId}`);
  for (const answer of [
    await latest(userId),
    await patch(userId, ada),
    await latestInsurance(userId),
    await insure(userId, draft),
  ])
    expect([answer.status, answer.body.code]).toEqual([404, "user_not_found"]);
  await service.advance(8 * DAY_MS);
  for (const trace of [userId, "Unforgettable", "M-UNFORGETTABLE"])
    expect(await findItemsContaining(service, trace)).toEqual([]);
});
