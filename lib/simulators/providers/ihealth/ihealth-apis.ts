import { createHash } from "node:crypto";
import { formatOffset } from "../base/local-time.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { secondsInStage } from "../synthetic-data/synthetic-sleep.ts";
import { listPricks, morningOf } from "./ihealth-readings.ts";

const POUNDS_PER_KG = 2.2046226218487757;

/** A record and its instant, epoch ms. */
interface IhealthRecord {
  readonly atMs: number;
  readonly record: object;
}

/** A kind of data: its name in addresses, its scope, the name of its list and its units by number. */
export interface IhealthApi {
  readonly name: "bp" | "glucose" | "weight" | "spo2" | "activity" | "sleep";
  readonly scope: string;
  readonly listName: string;
  readonly units: Readonly<Record<string, number>>;
  /** The records of a day, also those of the future. */
  list(person: SyntheticPerson, day: SyntheticDay): IhealthRecord[];
}

/** Local time as if it were UTC, Unix seconds. */
export const toLocalSeconds = ({ zone }: SyntheticPerson, ms: number): number => ms / 1000 + zone.offsetS(ms);

/** A record at an instant, with the fields of all kinds. */
function toRecord(person: SyntheticPerson, api: string, atMs: number, fields: object): IhealthRecord {
  const TimeZone = formatOffset(person.zone.offsetS(atMs)).replace(":", "");
  const DataID = createHash("sha256").update(`ihealth ${person.account} ${api} ${atMs}`).digest("hex").slice(0, 32);
  const common = { DataID, DataSource: "FromDevice", LastChangeTime: atMs / 1000, Lat: 0, Lon: 0, Note: "", TimeZone };
  return { atMs, record: { ...common, ...fields } };
}

/** A measurement at an instant. */
const toMeasurement = (person: SyntheticPerson, api: string, atMs: number, fields: object): IhealthRecord =>
  toRecord(person, api, atMs, { MDate: toLocalSeconds(person, atMs), ...fields });

/** The kinds of data. This user prefers pounds; glucose is in mg/dL, pressure in mmHg, distance in km. */
export const ihealthApis: readonly IhealthApi[] = [
  {
    name: "bp",
    scope: "OpenApiBP",
    listName: "BPDataList",
    units: { BPUnit: 0 },
    list: (person, day) => {
      const { systolic: HP, diastolic: LP, restingBpm: HR } = day;
      return [toMeasurement(person, "bp", morningOf(day).bloodPressureMs, { BPL: 1, HP, LP, HR, IsArr: 1 })];
    },
  },
  {
    name: "glucose",
    scope: "OpenApiBG",
    listName: "BGDataList",
    units: { BGUnit: 0 },
    list: (person, day) =>
      listPricks(person, day).map(({ atMs, value }) =>
        toMeasurement(person, "glucose", atMs, { BG: value, DinnerSituation: "Before_lunch", DrugSituation: "" }),
      ),
  },
  {
    name: "weight",
    scope: "OpenApiWeight",
    listName: "WeightDataList",
    units: { WeightUnit: 1 },
    list: (person, day) => {
      const WeightValue = (day.weightG / 1000) * POUNDS_PER_KG;
      const unmeasured = { BoneValue: 0, MuscaleValue: 0, WaterValue: 0, DCI: 0 };
      const BMI = day.weightG / 1000 / (person.heightCm / 100) ** 2;
      return [
        toMeasurement(person, "weight", morningOf(day).weightMs, {
          WeightValue,
          FatValue: day.fatPercent,
          BMI,
          ...unmeasured,
        }),
      ];
    },
  },
  {
    name: "spo2",
    scope: "OpenApiSpO2",
    listName: "BODataList",
    units: {},
    list: (person, day) => [
      toMeasurement(person, "spo2", morningOf(day).bloodOxygenMs, { BO: day.oxygenPercent, HR: day.restingBpm + 2 }),
    ],
  },
  {
    name: "activity",
    scope: "OpenApiActivity",
    listName: "ARDataList",
    units: { DistanceUnit: 0 },
    list: (person, day) => [
      toMeasurement(person, "activity", day.endMs - 1000, {
        Steps: day.steps,
        Calories: day.activeKcal + day.basalKcal,
        DistanceTraveled: day.distanceM / 1000,
      }),
    ],
  },
  {
    name: "sleep",
    scope: "OpenApiSleep",
    listName: "SRDataList",
    units: {},
    list: (person, { sleep }) => {
      const lengthS = (sleep.endMs - sleep.startMs) / 1000;
      const asleepS = lengthS - secondsInStage(sleep, "awake");
      const EndTime = toLocalSeconds(person, sleep.endMs);
      const night = {
        StartTime: EndTime - lengthS,
        EndTime,
        HoursSlept: asleepS / 60,
        Awaken: sleep.stages.filter(({ stage }) => stage === "awake").length,
        FallSleep: 0,
        SleepEfficiency: Math.round((100 * asleepS) / lengthS),
      };
      return [toRecord(person, "sleep", sleep.endMs, night)];
    },
  },
];
