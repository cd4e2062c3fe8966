import type { JunctionClient } from "@junction-api/sdk";
import { expect } from "vitest";
import { cholesterolTypes, timeseriesResources } from "../../lib/domain/timeseries/resources.ts";
import { day, instant } from "./records.ts";
import { provider, type World } from "./world.ts";

/** How a method is called, and what its parsed answer must show beyond being one. */
interface Row<Request, Answer> {
  readonly request: (world: World) => Request | Promise<Request>;
  readonly shows: (answer: Answer, world: World) => void;
}

type RowOf<Method> = Method extends (request: infer Request, ...rest: never[]) => PromiseLike<infer Answer>
  ? Row<NonNullable<Request>, Answer>
  : never;
type Rows = {
  readonly [R in keyof JunctionClient]?: { readonly [M in keyof JunctionClient[R]]?: RowOf<JunctionClient[R][M]> };
};

/** Any row, for the loop that calls them all. */
export type AnyRow = Row<unknown, unknown>;

const range = { startDate: day, endDate: day };
const ofUserWithData = ({ userId }: World) => ({ userId, ...range });
const source = { provider, type: "watch", slug: provider };

const users: Rows = {
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
      request: async (world) => ({ userId: await world.newUser(), ingestionStart: day }),
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

const summaries: Rows = {
  activity: {
    get: {
      request: ofUserWithData,
      shows: ({ activity }) => expect(activity).toMatchObject([{ calendarDate: day, steps: 9_120, source }]),
    },
  },
  body: {
    get: {
      request: ofUserWithData,
      shows: ({ body }) => expect(body).toMatchObject([{ calendarDate: day, weight: 71.4, source }]),
    },
  },
  sleep: {
    get: {
      request: ofUserWithData,
      shows: ({ sleep }) => expect(sleep).toMatchObject([{ calendarDate: day, deep: 5_400, source }]),
    },
  },
  workouts: {
    get: {
      request: ofUserWithData,
      shows: ({ workouts }) => expect(workouts).toMatchObject([{ sport: { slug: "running" }, providerId: "run-1" }]),
    },
  },
};

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const grouped: AnyRow = {
  request: ofUserWithData,
  shows: (answer) =>
    expect(answer).toMatchObject({
      groups: { [provider]: [{ source: { provider, type: "watch" }, data: expect.any(Array) }] },
      nextCursor: null,
    }),
};
const plain: AnyRow = {
  request: ofUserWithData,
  shows: (answer) =>
    expect(answer).toEqual(expect.arrayContaining([expect.objectContaining({ timestamp: new Date(instant) })])),
};

/** A row for every timeseries of the registry in each of its forms. */
const timeseries = timeseriesResources.flatMap(({ name, plain: hasPlain }): [string, AnyRow][] => {
  const method = `vitals.${camelCase(name)}`;
  return [[`${method}Grouped`, grouped], ...(hasPlain ? [[method, plain] satisfies [string, AnyRow]] : [])];
});
const kindsOfCholesterol = cholesterolTypes.map((kind): [string, AnyRow] => [
  `vitals.${camelCase(`cholesterol_${kind}`)}`,
  plain,
]);

const flat = Object.entries({ ...users, ...summaries }).flatMap(([resource, methods]) =>
  Object.entries(methods).map(([method, row]) => [`${resource}.${method}`, row] as [string, AnyRow]),
);

/** Every method whose route exists: `resource.method` -> its row. */
export const rows: ReadonlyMap<string, AnyRow> = new Map([...flat, ...timeseries, ...kindsOfCholesterol]);
