import { encodeFitFile, type FitField, type FitMessage, toFitTime } from "./fit-file.ts";
import { type SyntheticTrackPoint, type SyntheticWorkout, summarizeWorkout } from "./synthetic-workout.ts";

const FILE_ID = 0;
const SESSION = 18;
const RECORD = 20;
const ACTIVITY = 34;
/** FIT positions are semicircles: 2^31 per 180 degrees. */
const SEMICIRCLES = 2 ** 31 / 180;

const sports: Readonly<Record<SyntheticWorkout["sport"]["slug"], number>> = {
  running: 1,
  cycling: 2,
  walking: 11,
  strength_training: 10,
};

/** Creates the FIT file of a workout. */
export function createWorkoutFile(workout: SyntheticWorkout): Buffer {
  const start = toFitTime(workout.startMs);
  const end = toFitTime(workout.endMs);
  const { seconds, distanceM, averageBpm, maxBpm } = summarizeWorkout(workout);
  const field = (number: number, type: FitField["type"], value: number): FitField => ({ number, type, value });
  return encodeFitFile([
    {
      global: FILE_ID,
      fields: [field(0, "enum", 4), field(1, "uint16", 32), field(2, "uint16", 28), field(4, "uint32", start)],
    },
    ...workout.points.map((point) => toRecordMessage(workout, point)),
    {
      global: SESSION,
      fields: [
        field(253, "uint32", end),
        field(2, "uint32", start),
        field(7, "uint32", seconds * 1000),
        field(8, "uint32", seconds * 1000),
        field(9, "uint32", Math.round(distanceM * 100)),
        field(5, "enum", sports[workout.sport.slug]),
        field(16, "uint8", averageBpm),
        field(17, "uint8", maxBpm),
        field(11, "uint16", workout.kcal),
      ],
    },
    {
      global: ACTIVITY,
      fields: [
        field(253, "uint32", end),
        field(0, "uint32", seconds * 1000),
        field(1, "uint16", 1),
        field(2, "enum", 0),
      ],
    },
  ]);
}

function toRecordMessage({ sport }: SyntheticWorkout, point: SyntheticTrackPoint): FitMessage {
  const always: FitField[] = [
    { number: 253, type: "uint32", value: toFitTime(point.atMs) },
    { number: 3, type: "uint8", value: point.bpm },
  ];
  const moving: FitField[] = [
    { number: 0, type: "sint32", value: Math.round(point.latitude * SEMICIRCLES) },
    { number: 1, type: "sint32", value: Math.round(point.longitude * SEMICIRCLES) },
    { number: 2, type: "uint16", value: Math.round((point.altitudeM + 500) * 5) },
    { number: 4, type: "uint8", value: point.cadence },
    { number: 5, type: "uint32", value: Math.round(point.distanceM * 100) },
    { number: 6, type: "uint16", value: Math.round(sport.metresPerSecond * 1000) },
  ];
  const power: FitField[] = [{ number: 7, type: "uint16", value: point.watts }];
  const isMoving = sport.metresPerSecond > 0;
  return { global: RECORD, fields: [...always, ...(isMoving ? moving : []), ...(sport.hasPower ? power : [])] };
}
