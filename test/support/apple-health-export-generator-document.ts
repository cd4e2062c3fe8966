import { correlations } from "./apple-health-export-generator-correlations.ts";
import { documentType } from "./apple-health-export-generator-dtd.ts";
import { type Plan, quotaOf } from "./apple-health-export-generator-plan.ts";
import { createRandom, wholeNumber } from "./apple-health-export-generator-random.ts";
import { type ExportRecord, recordXml } from "./apple-health-export-generator-record.ts";
import { sleepRecords } from "./apple-health-export-generator-sleep.ts";
import { recordsOf } from "./apple-health-export-generator-stream.ts";
import type { Timeline } from "./apple-health-export-generator-timeline.ts";
import { addToTruth, type ExportTruth, type TruthSample } from "./apple-health-export-generator-truth.ts";
import { specOf } from "./apple-health-export-generator-types.ts";
import { unusualRecords } from "./apple-health-export-generator-unusual.ts";
import { workoutAt, workoutCount } from "./apple-health-export-generator-workouts.ts";

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
    for (const record of recordsOf(spec, quota, timeline, seed)) yield written(record, input);
  }
  for (const record of sleepRecords(plan.sleepQuota, timeline, seed)) yield written(record, input);
}

function* unusualPieces(input: DocumentInput): Generator<string> {
  const heartRate = firstOf("HeartRate", input);
  const bodyMass = firstOf("BodyMass", input);
  for (const { kind, record, xml } of unusualRecords(input.timeline, heartRate, bodyMass)) {
    const usual = written(record, input);
    input.truth.unusual.push({ kind, type: record.type, start: record.startMs });
    yield xml ?? usual;
  }
}

function firstOf(name: string, { plan, timeline, seed }: DocumentInput): ExportRecord {
  const spec = specOf(name);
  for (const record of recordsOf(spec, quotaOf(plan, spec), timeline, seed)) return record;
  throw new Error(`no records of ${name}`);
}

function written(record: ExportRecord, { timeline, truth, onSample }: DocumentInput): string {
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
  for (let index = 0; index < workoutCount(timeline.days); index += 1) {
    const { xml, workout } = workoutAt(index, timeline, seed);
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
