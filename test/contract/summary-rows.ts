import { expect } from "vitest";
import { day, instant } from "./records.ts";
import { ofUserWithData, type Rows, source } from "./row.ts";
import { provider } from "./world.ts";

/** A raw summary of the provider with these fields in its data. */
const raw = (data: object) => ({ data, source: { slug: provider }, sourceId: expect.any(Number) });
const rawOfDay = (data: object) => ({ ...raw(data), timestamp: expect.any(Date), priorityId: expect.any(Number) });

/** Methods that read summaries. */
export const summaryRows: Rows = {
  activity: {
    get: {
      request: ofUserWithData,
      shows: ({ activity }) => expect(activity).toMatchObject([{ calendarDate: day, steps: 9_120, source }]),
    },
    getRaw: {
      request: ofUserWithData,
      shows: ({ activity }) => expect(activity).toMatchObject([rawOfDay({ calendar_date: day, steps: 9_120 })]),
    },
  },
  body: {
    get: {
      request: ofUserWithData,
      shows: ({ body }) => expect(body).toMatchObject([{ calendarDate: day, weight: 71.4, source }]),
    },
    getRaw: {
      request: ofUserWithData,
      shows: ({ body }) => expect(body).toMatchObject([rawOfDay({ calendar_date: day, weight: 71.4 })]),
    },
  },
  sleep: {
    get: {
      request: ofUserWithData,
      shows: ({ sleep }) => expect(sleep).toMatchObject([{ calendarDate: day, deep: 5_400, source }]),
    },
    getRaw: {
      request: ofUserWithData,
      shows: ({ sleep }) => expect(sleep).toMatchObject([rawOfDay({ calendar_date: day, deep: 5_400 })]),
    },
    getStreamBySleepId: {
      request: async (world) => {
        const { sleep } = await world.client.sleep.get(ofUserWithData(world));
        return { sleepId: sleep[0]?.id ?? "" };
      },
      shows: (stream) =>
        expect(stream).toMatchObject({
          hrv: [],
          heartrate: [{ timestamp: new Date(instant), value: 52 }],
          hypnogram: [{ start: new Date(instant), end: expect.any(Date), value: 1 }],
        }),
    },
  },
  workouts: {
    get: {
      request: ofUserWithData,
      shows: ({ workouts }) => expect(workouts).toMatchObject([{ sport: { slug: "running" }, providerId: "run-1" }]),
    },
    getRaw: {
      request: ofUserWithData,
      shows: ({ workouts }) =>
        expect(workouts).toMatchObject([
          { ...rawOfDay({ distance: 8_050 }), providerId: "run-1", sportId: 1, sport: { slug: "running" } },
        ]),
    },
    getByWorkoutId: {
      request: async (world) => {
        const { workouts } = await world.client.workouts.get(ofUserWithData(world));
        return { workoutId: workouts[0]?.id ?? "" };
      },
      shows: (stream) =>
        expect(stream).toMatchObject({
          time: [expect.any(Number), expect.any(Number)],
          heartrate: [121, null],
          power: [],
        }),
    },
  },
  profile: {
    get: {
      request: ({ userId }) => ({ userId }),
      shows: (profile) =>
        expect(profile).toMatchObject({ height: 172, birthDate: "1985-03-14", sex: "female", source }),
    },
    getRaw: {
      request: ({ userId }) => ({ userId, provider }),
      shows: ({ profile }) => expect(profile).toMatchObject(raw({ height: 172 })),
    },
  },
  devices: {
    getRaw: {
      request: ({ userId }) => ({ userId }),
      shows: ({ devices }) =>
        expect(devices).toMatchObject([{ ...raw({ device_manufacturer: "Acme" }), providerId: "watch-1" }]),
    },
  },
  meal: {
    get: {
      request: ofUserWithData,
      shows: ({ meals }) =>
        expect(meals).toMatchObject([
          { name: "Lunch", timestamp: new Date(`${day}T11:30:00Z`), macros: { fats: { total: 22.5 } }, source },
        ]),
    },
  },
  menstrualCycle: {
    get: {
      request: ofUserWithData,
      shows: ({ menstrualCycle }) =>
        expect(menstrualCycle).toMatchObject([
          { periodStart: day, menstrualFlow: [{ date: day, flow: "light" }], source },
        ]),
    },
  },
  electrocardiogram: {
    get: {
      request: ofUserWithData,
      shows: ({ electrocardiogram }) =>
        expect(electrocardiogram).toMatchObject([
          { sessionStart: new Date(`${day}T10:00:00Z`), classification: "sinus_rhythm", sourceProvider: provider },
        ]),
    },
  },
  sleepCycle: {
    get: {
      request: ofUserWithData,
      shows: ({ sleepCycle }) =>
        expect(sleepCycle).toMatchObject([{ sleepId: expect.any(String), stageType: [4, 2], sourceType: "watch" }]),
    },
  },
};
