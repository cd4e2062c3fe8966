import { expect } from "vitest";
import type { ContractWorld } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";

const address = { firstLine: "1 Main Street", country: "US", zip: "85004", city: "Phoenix", state: "AZ" };
const person = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.com",
  phoneNumber: "+16025550123",
  gender: "female" as const,
  dob: "1985-03-14",
  address,
};
const insurance = { payorCode: "AETNA", memberId: "W1", relationship: "Self" as const, insured: person };

async function informed(world: ContractWorld): Promise<string> {
  const userId = await world.newUser();
  await world.client.user.upsertUserInfo({ userId, ...person, ethnicity: "hispanic" });
  return userId;
}

/** User info and insurance, payors, diagnoses, and places. */
export const insuranceRows: MethodRows = {
  user: {
    upsertUserInfo: {
      request: async (world) => ({ userId: await world.newUser(), ...person, race: "asian", medicalProxy: person }),
      shows: (answer) => {
        const { gender: _, dob: __, ...proxy } = person;
        expect(answer).toMatchObject({ ...person, race: "asian", medicalProxy: proxy });
      },
    },
    getLatestUserInfo: {
      request: async (world) => ({ userId: await informed(world) }),
      shows: (answer) => expect(answer).toMatchObject({ ...person, ethnicity: "hispanic" }),
    },
    createInsurance: {
      request: async (world) => ({ userId: await informed(world), ...insurance, isPrimary: false }),
      shows: (answer) => expect(answer).toMatchObject({ ...insurance, company: { name: "Aetna" }, isPrimary: false }),
    },
    getLatestInsurance: {
      request: async (world) => {
        const userId = await informed(world);
        await world.client.user.createInsurance({ userId, ...insurance });
        return { userId, isPrimary: true };
      },
      shows: (answer) => expect(answer).toMatchObject({ ...insurance, isPrimary: true }),
    },
  },
  insurance: {
    searchGetPayorInfo: {
      request: () => ({ insuranceName: "aetna" }),
      shows: (answer) =>
        expect(answer[0]).toMatchObject({
          payorCode: "AETNA",
          name: "Aetna",
          source: "platform",
          aliases: expect.any(Array),
        }),
    },
    searchPayorInfo: {
      request: () => ({ insuranceName: "aetna" }),
      shows: (answer) => expect(answer[0]).toMatchObject({ code: "AETNA", orgAddress: { city: "Hartford" } }),
    },
    searchDiagnosis: {
      request: () => ({ diagnosisQuery: "E11.9" }),
      shows: (answer) => expect(answer).toMatchObject([{ diagnosisCode: "E11.9", isSecondary: false }]),
    },
  },
  payor: {
    createPayor: {
      request: () => ({ name: "Zenith Mutual", address, provider: "stedi", providerPayorId: "4711" }),
      shows: (answer) => expect(answer).toMatchObject({ name: "Zenith Mutual", orgAddress: address, source: "team" }),
    },
  },
  labTests: {
    validateIcdCodes: {
      request: () => ({ codes: ["E11.9", "E10.9", "I10", "I63.9"] }),
      shows: (answer) =>
        expect(answer).toEqual({
          valid: false,
          errors: [],
          violations: [{ code: "E11.9", conflictsWith: "E10.9", type: "excludes1" }],
          warnings: [{ code: "I10", overlapsWith: "I63.9", type: "excludes2" }],
        }),
    },
    getPscInfo: {
      request: () => ({
        zipCode: "85004",
        labId: 4,
        radius: "50",
        capabilities: ["appointment_scheduling_via_junction"],
      }),
      shows: (answer) => {
        expect(answer).toMatchObject({ labId: 4, slug: "quest" });
        expect(answer.patientServiceCenters[0]).toMatchObject({
          distance: expect.any(Number),
          siteCode: expect.any(String),
          location: { lng: expect.any(Number), lat: expect.any(Number) },
          capabilities: expect.arrayContaining(["appointment_scheduling_via_junction"]),
        });
      },
    },
    getAreaInfo: {
      request: () => ({ zipCode: "85004", labs: ["quest", "sonora_quest"] }),
      shows: (answer) => {
        expect(answer.phlebotomy).toMatchObject({
          isServed: true,
          providers: [{ serviceTypes: ["appointment-ready"] }, {}],
        });
        const { patientServiceCenters, labId } = answer.centralLabs.quest!;
        expect([labId, patientServiceCenters.radius, patientServiceCenters.appointmentWithVital]).toEqual([
          4,
          "25",
          true,
        ]);
      },
    },
  },
};
