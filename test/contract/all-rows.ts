import { expect } from "vitest";
import { cholesterolTypes, timeseriesResources } from "../../lib/domain/timeseries/resources.ts";
import { aggregateRows } from "./aggregate-rows.ts";
import { appointmentRows } from "./appointment-rows.ts";
import { connectionRows } from "./connection-rows.ts";
import { dataProvider } from "./contract-world.ts";
import { insuranceRows } from "./insurance-rows.ts";
import { labRows } from "./lab-rows.ts";
import { linkRows } from "./link-rows.ts";
import { type AnyMethodRow, type MethodRows, requestOfUserWithData } from "./method-rows.ts";
import { orderDocumentRows } from "./order-document-rows.ts";
import { orderRows } from "./order-rows.ts";
import { providerRows } from "./provider-rows.ts";
import { recordDay, recordInstant } from "./records.ts";
import { reportRows } from "./report-rows.ts";
import { resultRows } from "./result-rows.ts";
import { summaryRows } from "./summary-rows.ts";

const takenAt = Date.parse(recordInstant);

const users: MethodRows = {
  user: {
    getAll: {
      request: () => ({ offset: 0, limit: 1 }),
      shows: (answer, { userId }) => expect(answer).toMatchObject({ users: [{ userId }], offset: 0, limit: 1 }),
    },
    create: {
      request: (world) => ({ clientUserId: world.newClientUserId(), fallbackTimeZone: "Europe/Berlin" }),
      shows: (answer) => expect(answer.fallbackTimeZone).toMatchObject({ id: "Europe/Berlin", sourceSlug: "manual" }),
    },
    get: {
      request: ({ userId }) => ({ userId }),
      shows: (answer, { userId }) => expect(answer).toMatchObject({ userId, createdOn: expect.any(Date) }),
    },
    getByClientUserId: {
      request: ({ clientUserId }) => ({ clientUserId }),
      shows: (answer, { userId }) => expect(answer.userId).toBe(userId),
    },
    patch: {
      request: async (world) => ({ userId: await world.newUser(), ingestionStart: recordDay }),
      shows: (answer) => expect(answer).toBeUndefined(),
    },
    delete: {
      request: async (world) => ({ userId: await world.newUser() }),
      shows: (answer) => expect(answer).toEqual({ success: true }),
    },
    undoDelete: {
      request: async (world) => {
        const userId = await world.newUser();
        await world.service.call("DELETE", `/v2/user/${userId}`);
        return { userId };
      },
      shows: (answer) => expect(answer).toEqual({ success: true }),
    },
  },
  link: {
    connectDemoProvider: {
      request: async (world) => ({ userId: await world.newUser(), provider: "oura" }),
      shows: (answer) => expect(answer.success).toBe(true),
    },
  },
};

const team: MethodRows = {
  team: {
    getSvixUrl: {
      request: () => ({}),
      shows: (answer) => expect(answer).toMatchObject({ url: expect.stringMatching(/^http.*#ps_/) }),
    },
  },
};

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Parsed samples of a unit, all at one instant. */
const samplesIn = (unit: string) =>
  expect.toSatisfy(
    (samples: unknown) =>
      Array.isArray(samples) &&
      samples.length > 0 &&
      samples.every((one) => one.unit === unit && one.timestamp instanceof Date && one.timestamp.valueOf() === takenAt),
    `samples in ${unit}`,
  );
const grouped = (unit: string): AnyMethodRow => ({
  request: requestOfUserWithData,
  shows: (answer) =>
    expect(answer).toMatchObject({
      groups: { [dataProvider]: [{ source: { provider: dataProvider, type: "watch" }, data: samplesIn(unit) }] },
      nextCursor: null,
    }),
});
const plain = (unit: string): AnyMethodRow => ({
  request: requestOfUserWithData,
  shows: (answer) => expect(answer).toEqual(samplesIn(unit)),
});

/** A row for every timeseries resource in each of its response formats. */
const timeseries = timeseriesResources.flatMap(({ name, unit, plain: hasPlain }): [string, AnyMethodRow][] => {
  const method = `vitals.${camelCase(name)}`;
  const groupedRow: [string, AnyMethodRow] = [`${method}Grouped`, grouped(unit)];
  return hasPlain ? [groupedRow, [method, plain(unit)]] : [groupedRow];
});
const kindsOfCholesterol = cholesterolTypes.map((kind): [string, AnyMethodRow] => [
  `vitals.${camelCase(`cholesterol_${kind}`)}`,
  plain("mmol/L"),
]);

/** Several parts may contribute methods to one resource. */
const parts: readonly MethodRows[] = [
  users,
  team,
  summaryRows,
  providerRows,
  insuranceRows,
  labRows,
  orderRows,
  orderDocumentRows,
  appointmentRows,
  resultRows,
  reportRows,
  aggregateRows,
  linkRows,
  connectionRows,
];
const flat = parts.flatMap((part) =>
  Object.entries(part).flatMap(([resource, methods]) =>
    Object.entries(methods).map(([method, row]) => [`${resource}.${method}`, row] as [string, AnyMethodRow]),
  ),
);

/** Every method whose route exists: `resource.method` -> its row. */
export const allRows: ReadonlyMap<string, AnyMethodRow> = new Map([...flat, ...timeseries, ...kindsOfCholesterol]);
