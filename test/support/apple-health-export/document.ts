import { correlations } from "./correlations.ts";
import { documentType } from "./document-type.ts";
import { type Plan, quotaOf } from "./export-plan.ts";
import { type ExportRecord, recordXml } from "./export-record.ts";
import { addToTruth, type ExportTruth, type TruthSample } from "./export-truth.ts";
import { createRandom, wholeNumber } from "./random.ts";
import { findRecordSpec } from "./record-specs.ts";
import { streamRecords } from "./record-stream.ts";
import { sleepRecords } from "./sleep-records.ts";
import type { Timeline } from "./timeline.ts";
import { unusualRecords } from "./unusual-records.ts";
import { countWorkouts, createWorkout } from "./workouts.ts";

/** Input of a document, and the receiver of its truth during writing. */
export type DocumentInput = {
  plan: Plan;
  timeline: Timeline;
  seed: string;
  truth: ExportTruth;
  onSample: (type: string, sample: TruthSample) => void;
};

/** The whole export.xml in pieces of a few hundred bytes: head, records by type, unusual records, groups, rings. */
export function* documentPieces(input: DocumentInput): Generator<string> {
  yield head(input.timeline);
  yield* recordPieces(input);
  yield* unusualPieces(input);
  yield* correlationPieces(input);
  yield* workoutPieces(input);
  yield* activityPieces(input);
  yield "</HealthData>\n";
}

function head(timeline: Timeline): string {
  const me = [
    'HKCharacteristicTypeIdentifierDateOfBirth="1990-01-01"',
    'HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"',
    'HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet"',
    'HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet"',
    'HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"',
  ].join(" ");
  const exportDate = ` <ExportDate value="${timeline.format(timeline.exportMs)}"/>\n`;
  const start = `<HealthData locale="en_DE">\n${exportDate} <Me ${me}/>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${documentType()}${start}`;
}

function* recordPieces(input: DocumentInput): Generator<string> {
  const { plan, timeline, seed } = input;
  for (const { spec, quota } of plan.streams) {
    for (const record of streamRecords(spec, quota, timeline, seed)) yield writeRecord(record, input);
  }
  for (const record of sleepRecords(plan.sleepQuota, timeline, seed)) yield writeRecord(record, input);
}

function* unusualPieces(input: DocumentInput): Generator<string> {
  const heartRate = firstRecord("HeartRate", input);
  const bodyMass = firstRecord("BodyMass", input);
  for (const { kind, record, xml } of unusualRecords(input.timeline, heartRate, bodyMass)) {
    const usual = writeRecord(record, input);
    input.truth.unusual.push({ kind, type: record.type, start: record.startMs });
    yield xml ?? usual;
  }
}

function firstRecord(name: string, { plan, timeline, seed }: DocumentInput): ExportRecord {
  const spec = findRecordSpec(name);
  for (const record of streamRecords(spec, quotaOf(plan, spec), timeline, seed)) return record;
  throw new Error(`no records of ${name}`);
}

function writeRecord(record: ExportRecord, { timeline, truth, onSample }: DocumentInput): string {
  onSample(record.type, addToTruth(truth, record, timeline.offsetAt(record.startMs)));
  return recordXml(record, timeline);
}

function* correlationPieces({ plan, timeline, seed, truth }: DocumentInput): Generator<string> {
  for (const { xml, records } of correlations(plan, timeline, seed)) {
    truth.correlations += 1;
    truth.nestedRecords += records;
    yield xml;
  }
}

function* workoutPieces({ timeline, seed, truth }: DocumentInput): Generator<string> {
  for (let index = 0; index < countWorkouts(timeline.days); index += 1) {
    const { xml, workout } = createWorkout(index, timeline, seed);
    truth.workouts += 1;
    truth.workoutList?.push(workout);
    yield xml;
  }
}

/** One line per day: the rings for move, exercise and stand, with their goals. */
function* activityPieces({ timeline, seed, truth }: DocumentInput): Generator<string> {
  const random = createRandom(`${seed} rings`);
  for (let day = 0; day < timeline.days; day += 1) {
    const date = timeline.format(timeline.dayStart(day)).slice(0, 10);
    const energy = `activeEnergyBurned="${wholeNumber(random, 180, 1100)}.25" activeEnergyBurnedGoal="500"`;
    const move = 'activeEnergyBurnedUnit="Cal" appleMoveTime="0" appleMoveTimeGoal="0"';
    const exercise = `appleExerciseTime="${wholeNumber(random, 0, 95)}" appleExerciseTimeGoal="30"`;
    const stand = `appleStandHours="${wholeNumber(random, 4, 16)}" appleStandHoursGoal="12"`;
    truth.activitySummaries += 1;
    yield ` <ActivitySummary dateComponents="${date}" ${energy} ${move} ${exercise} ${stand}/>\n`;
  }
}
