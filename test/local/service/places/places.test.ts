import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLab } from "../../../../lib/domain/lab-tests/labs.ts";
import { TestService } from "../../../support/service.ts";

const UNKNOWN = "5b1d6f0e-0000-4000-8000-000000000000";
const quest = findLab("quest")?.id ?? 0;
const labcorp = findLab("labcorp")?.id ?? 0;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** The key header of the other dialect, which selects the dialect of the response. */
const otherClient = () => ({ key: null, headers: { "x-vital-api-key": service.identity.api_key } });
const pscs = (query: string, options = {}) => service.call("GET", `/v3/order/psc/info?${query}`, options);
const area = (query: string, options = {}) => service.call("GET", `/v3/order/area/info?${query}`, options);
const refused = ({ status, body }: { status: number; body: { detail: { loc: string[] }[] } }) => {
  expect(status).toBe(422);
  return body.detail.map(({ loc }) => loc.join("."));
};
/** Returns an account of the team at a lab with this status; the sandbox has some by default. */
async function accountAt(lab: string, status: string): Promise<string> {
  const { body } = await service.call("GET", `/v3/lab_test/lab_account?status=${status}`);
  return body.data.find((account: { lab: string }) => account.lab === lab).id;
}

describe("patient service centers by zip code", () => {
  test("are returned with all their fields, nearest first [psc-fields-01] [psc-fields-02] [psc-fields-03] [psc-fields-04]", async () => {
    const { status, body } = await pscs(`zip_code=85004&lab_id=${quest}`);
    expect([status, body.lab_id, body.slug]).toEqual([200, quest, "quest"]);
    const distances = body.patient_service_centers.map(({ distance }: { distance: string }) => distance);
    expect(distances.length).toBeGreaterThan(3);
    expect(distances.every((distance: unknown) => typeof distance === "string" && /^\d+\.\d$/.test(distance))).toBe(
      true,
    );
    expect(distances.map(Number)).toEqual(distances.map(Number).toSorted((a: number, b: number) => a - b));
    const text = expect.any(String);
    const site = {
      metadata: { name: text, state: "AZ", city: text, zip_code: text, first_line: text, website: null },
      site_code: text,
      location: { lng: expect.any(Number), lat: expect.any(Number) },
    };
    for (const center of body.patient_service_centers) {
      expect(center).toMatchObject(site);
      const { second_line, phone_number, fax_number, hours } = center.metadata;
      expect([second_line, phone_number, fax_number]).toEqual([text, text, text]);
      expect(hours === null || /^\d\d:\d\d-\d\d:\d\d$/.test(hours.monday)).toBe(true);
      expect(center.supported_bill_types).toContain("client_bill");
    }
    const { components } = (await service.call("GET", "/openapi.json")).body;
    const { capabilities } = components.schemas.PatientServiceCenter.properties;
    expect(capabilities.items).toMatchObject({ type: "string", "x-known-values": expect.arrayContaining(["stat"]) });
  });

  test("have the field names of the other dialect, with a number of miles", async () => {
    const ask = `zip_code=85004&lab_id=${quest}&capabilities=appointment_scheduling_via_`;
    const own = await pscs(`${ask}service`);
    const other = await pscs(`${ask}junction`, otherClient());
    const [mine, theirs] = [own, other].map(({ body }) => body.patient_service_centers);
    expect(mine.length).toBeGreaterThan(0);
    expect(theirs.map(({ site_code }: { site_code: string }) => site_code)).toEqual(
      mine.map(({ site_code }: { site_code: string }) => site_code),
    );
    expect(mine[0].capabilities).toContain("appointment_scheduling_via_service");
    expect(theirs[0].capabilities).toContain("appointment_scheduling_via_junction");
    expect(theirs.every(({ distance }: { distance: unknown }) => Number.isInteger(distance))).toBe(true);
  });

  test("are at most 30, within the requested radius [limits-05]", async () => {
    const ask = `zip_code=10001&lab_id=${quest}`;
    const within = async (radius: string) => (await pscs(`${ask}${radius}`)).body.patient_service_centers;
    expect(await within("&radius=100")).toHaveLength(30);
    expect(await within("")).toEqual(await within("&radius=25"));
    for (const { distance } of await within("&radius=10")) expect(Number(distance)).toBeLessThanOrEqual(10);
  });

  test("have all requested capabilities", async () => {
    const asked = ["stat", "appointment_scheduling_with_lab"];
    const query = asked.map((capability) => `&capabilities=${capability}`).join("");
    const { body } = await pscs(`zip_code=10001&lab_id=${quest}&radius=100${query}`);
    expect(body.patient_service_centers.length).toBeGreaterThan(0);
    for (const { capabilities } of body.patient_service_centers)
      expect(capabilities).toEqual(expect.arrayContaining(asked));
  });

  test("are an empty list for a lab without any and for an unknown zip code [patient-service-centers-and-area-04]", async () => {
    const { body } = await pscs(`zip_code=85004&lab_id=${findLab("ussl")?.id}`);
    expect(body).toEqual({ lab_id: findLab("ussl")?.id, slug: "ussl", patient_service_centers: [] });
    expect((await pscs(`zip_code=00000&lab_id=${quest}`)).body.patient_service_centers).toEqual([]);
    const { components } = (await service.call("GET", "/openapi.json")).body;
    expect(components.schemas.PscInfo.properties.slug).toMatchObject({ "x-known-values": expect.any(Array) });
  });

  test.each([
    ["", ["query.zip_code", "query.lab_id"]],
    ["zip_code=8500&lab_id=4", ["query.zip_code"]],
    ["zip_code=850045&lab_id=4", ["query.zip_code"]],
    ["zip_code=85004-1234&lab_id=4", ["query.zip_code"]],
    ["zip_code=8500a&lab_id=4", ["query.zip_code"]],
    ["zip_code=85004&lab_id=quest", ["query.lab_id"]],
    ["zip_code=85004&lab_id=1.5", ["query.lab_id"]],
    ["zip_code=85004&lab_id=4711", ["query.lab_id"]],
    ["zip_code=85004&lab_id=4&radius=30", ["query.radius"]],
    ["zip_code=85004&lab_id=4&capabilities=flying", ["query.capabilities.0"]],
    ["zip_code=85004&lab_id=4&lab_account_id=1", ["query.lab_account_id"]],
  ])("are refused for %j [limits-08] [patient-service-centers-and-area-05]", async (query, fields) => {
    expect(refused(await pscs(query))).toEqual(fields);
  });

  test("depend on the lab account of the request [patient-service-centers-and-area-06]", async () => {
    const around = async (account: string, lab = quest) => {
      const { body } = await pscs(`zip_code=85004&lab_id=${lab}&lab_account_id=${account}`);
      return body.patient_service_centers.length;
    };
    const active = await accountAt("quest", "active");
    const all = (await pscs(`zip_code=85004&lab_id=${quest}`)).body.patient_service_centers.length;
    expect([await around(active), await around(active, labcorp)]).toEqual([all, 0]);
    expect(await pscs(`zip_code=85004&lab_id=${quest}&lab_account_id=${UNKNOWN}`)).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
  });
});

describe("area info", () => {
  test("returns phlebotomists and labs around a zip code [patient-service-centers-and-area-07] [patient-service-centers-and-area-10] [patient-service-centers-and-area-11] [patient-service-centers-and-area-12] [patient-service-centers-and-area-13] [patient-service-centers-and-area-14] [patient-service-centers-and-area-15]", async () => {
    const { status, body } = await area("zip_code=85004");
    expect([status, Object.keys(body)]).toEqual([200, ["zip_code", "phlebotomy", "central_labs"]]);
    expect(body.zip_code).toBe("85004");
    const served = (name: string, tier: string) => ({ name, tier: [tier], service_types: [tier] });
    const providers = [served("getlabs", "appointment-ready"), served("phlebfinders", "appointment-request")];
    expect(body.phlebotomy).toEqual({ is_served: true, providers });
    expect(Object.keys(body.central_labs).toSorted()).toEqual(["bioreference", "labcorp", "quest", "sonora_quest"]);
    const near = (await pscs(`zip_code=85004&lab_id=${labcorp}`)).body.patient_service_centers;
    expect(body.central_labs.labcorp).toMatchObject({
      patient_service_centers: {
        within_radius: near.length,
        radius: "25",
        capabilities: expect.arrayContaining(["appointment_scheduling_with_lab"]),
        appointment_with_vital: false,
      },
      supported_bill_types: expect.arrayContaining(["client_bill"]),
      lab_id: labcorp,
    });
    expect(body.central_labs.quest.patient_service_centers.appointment_with_vital).toBe(true);
    expect((await area("zip_code=54650")).body.phlebotomy.is_served).toBe(true);
  });

  test("covers a wider area with a larger radius, which is one of five [limits-07]", async () => {
    const counts: number[] = [];
    for (const radius of ["10", "20", "25", "50", "100"]) {
      const { body } = await area(`zip_code=10001&radius=${radius}&labs=quest`);
      expect(body.central_labs.quest.patient_service_centers.radius).toBe(radius);
      counts.push(body.central_labs.quest.patient_service_centers.within_radius);
    }
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    // More than a list of centers may have.
    expect(counts.at(-1)).toBeGreaterThan(30);
    expect((await area("zip_code=10001&labs=quest")).body.central_labs.quest.patient_service_centers).toMatchObject({
      radius: "25",
      within_radius: counts[2],
    });
    for (const radius of ["0", "30", "ten", ""])
      expect(refused(await area(`zip_code=10001&radius=${radius}`))).toEqual(["query.radius"]);
  });

  test("is limited to the requested labs, also by the deprecated lab parameter [patient-service-centers-and-area-08] [versioning-07]", async () => {
    const labs = async (query: string) =>
      Object.keys((await area(`zip_code=10001${query}`)).body.central_labs).toSorted();
    expect(await labs("&labs=quest&labs=labcorp")).toEqual(["labcorp", "quest"]);
    expect((await area("zip_code=10001&lab=quest")).body).toEqual((await area("zip_code=10001&labs=quest")).body);
    expect(await labs("&lab=quest&labs=labcorp")).toEqual(["labcorp"]);
    expect(refused(await area("zip_code=10001&labs=nobody"))).toEqual(["query.labs.0"]);
    expect(refused(await area("zip_code=10001&lab=nobody"))).toEqual(["query.lab"]);
  });

  test("reports areas without a phlebotomist", async () => {
    const { body } = await area("zip_code=00000");
    expect(body.phlebotomy).toEqual({ is_served: false, providers: [] });
    expect(body.central_labs.quest).toMatchObject({
      patient_service_centers: { within_radius: 0, capabilities: [] },
      supported_bill_types: [],
    });
    expect((await area("zip_code=99723")).body.phlebotomy.is_served).toBe(false);
  });

  test("names capabilities in the other dialect", async () => {
    const { body } = await area("zip_code=85004&labs=quest", otherClient());
    expect(body.central_labs.quest.patient_service_centers.capabilities).toContain(
      "appointment_scheduling_via_junction",
    );
  });

  test("depends on the lab account of the request [patient-service-centers-and-area-09]", async () => {
    const { body } = await area(`zip_code=85004&lab_account_id=${await accountAt("quest", "active")}`);
    const within = (lab: string) => body.central_labs[lab].patient_service_centers.within_radius;
    expect(within("quest")).toBeGreaterThan(0);
    expect([within("labcorp"), within("sonora_quest")]).toEqual([0, 0]);
    expect((await area(`zip_code=85004&lab_account_id=${UNKNOWN}`)).status).toBe(404);
    expect(refused(await area("zip_code=85004&lab_account_id=mine"))).toEqual(["query.lab_account_id"]);
  });

  test.each(["8500", "850045", "85004-1234", "abcde", ""])(
    "is refused for the zip code %j [limits-09]",
    async (zip) => {
      expect(refused(await area(`zip_code=${zip}`))).toEqual(["query.zip_code"]);
    },
  );
});
