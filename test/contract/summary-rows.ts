import { expect } from "vitest";
import { dataProvider } from "./contract-world.ts";
import { expectedSource, type MethodRows, requestOfUserWithData } from "./method-rows.ts";
import { recordDay, recordInstant } from "./records.ts";

/** A raw summary of the provider with these fields in its data. */
const raw = (data: object) => ({ data, source: { slug: dataProvider }, sourceId: expect.any(Number) });
const rawOfDay = (data: object) => ({ ...raw(data), timestamp: expect.any(Date), priorityId: expect.any(Number) });

/** Methods that read summaries. */
export const summaryRows: MethodRows = {
  activity: {
    get: {
      request: requestOfUserWithData,
      shows: ({ activity }) =>
        expect(activity).toMatchObject([{ calendarDate: recordDay, steps: 9_120, source: expectedSource }]),
    },
    getRaw: {
      request: requestOfUserWithData,
      shows: ({ activity }) => expect(activity).toMatchObject([rawOfDay({ calendar_date: recordDay, steps: 9_120 })]),
    },
  },
  body: {
    get: {
      request: requestOfUserWithData,
      shows: ({ body }) =>
        expect(body).toMatchObject([{ calendarDate: recordDay, weight: 71.4, source: expectedSource }]),
    },
    getRaw: {
      request: requestOfUserWithData,
      shows: ({ body }) => expect(body).toMatchObject([rawOfDay({ calendar_date: recordDay, weight: 71.4 })]),
    },
  },
  sleep: {
    get: {
      request: requestOfUserWithData,
      shows: ({ sleep }) =>
        expect(sleep).toMatchObject([{ calendarDate: recordDay, deep: 5_400, source: expectedSource }]),
    },
    getRaw: {
      request: requestOfUserWithData,
      shows: ({ sleep }) => expect(sleep).toMatchObject([rawOfDay({ calendar_date: recordDay, deep: 5_400 })]),
    },
    getStreamBySleepId: {
      request: async (world) => {
        const { sleep } = await world.client.sleep.get(requestOfUserWithData(world));
        return { sleepId: sleep[0]?.id ?? "" };
      },
      shows: (stream) =>
        expect(stream).toMatchObject({
          hrv: [],
          heartrate: [{ timestamp: new Date(recordInstant), value: 52 }],
          hypnogram: [{ start: new Date(recordInstant), end: expect.any(Date), value: 1 }],
        }),
    },
  },
  workouts: {
    get: {
      request: requestOfUserWithData,
      shows: ({ workouts }) => expect(workouts).toMatchObject([{ sport: { slug: "running" }, providerId: "run-1" }]),
    },
    getRaw: {
      request: requestOfUserWithData,
      shows: ({ workouts }) =>
        expect(workouts).toMatchObject([
          { ...rawOfDay({ distance: 8_050 }), providerId: "run-1", sportId: 1, sport: { slug: "running" } },
        ]),
    },
    getByWorkoutId: {
      request: async (world) => {
        const { workouts } = await world.client.workouts.get(requestOfUserWithData(world));
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
        expect(profile).toMatchObject({ height: 172, birthDate: "1985-03-14", sex: "female", source: expectedSource }),
    },
    getRaw: {
      request: ({ userId }) => ({ userId, provider: dataProvider }),
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
      request: requestOfUserWithData,
      shows: ({ meals }) =>
        expect(meals).toMatchObject([
          {
            name: "Lunch",
            timestamp: new Date(`${recordDay}T11:30:00Z`),
            macros: { fats: { total: 22.5 } },
            source: expectedSource,
          },
        ]),
    },
  },
  menstrualCycle: {
    get: {
      request: requestOfUserWithData,
      shows: ({ menstrualCycle }) =>
        expect(menstrualCycle).toMatchObject([
          { periodStart: recordDay, menstrualFlow: [{ date: recordDay, flow: "light" }], source: expectedSource },
        ]),
    },
  },
  electrocardiogram: {
    get: {
      request: requestOfUserWithData,
      shows: ({ electrocardiogram }) =>
        expect(electrocardiogram).toMatchObject([
          {
            sessionStart: new Date(`${recordDay}T10:00:00Z`),
            classification: "sinus_rhythm",
            sourceProvider: dataProvider,
          },
        ]),
    },
  },
  sleepCycle: {
    get: {
      request: requestOfUserWithData,
      shows: ({ sleepCycle }) =>
        expect(sleepCycle).toMatchObject([{ sleepId: expect.any(String), stageType: [4, 2], sourceType: "watch" }]),
    },
  },
};
