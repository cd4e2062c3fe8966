import { expect, test } from "vitest";
import { keptPlaces } from "../../lib/contract/erasure/kept-places.ts";
import { tables } from "../../lib/contract/resources.ts";
import { forwards } from "./forwards.ts";
import { ofType, synthesized } from "./synthesized.ts";

const service = synthesized({ forward: forwards });
/** Resource types that can store or forward data. */
const KEEPERS =
  /^AWS::(S3::Bucket|SQS::Queue|Logs::LogGroup|StepFunctions::StateMachine|Events::(EventBus|Archive)|SNS::Topic|Kinesis.*|Pipes::Pipe|Scheduler::Schedule)$/;
const keepers = service.assembly.resources.filter(({ type }) => KEEPERS.test(type));

/** The logical id without the hash that CDK adds. */
const idOf = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, "");
const placesOf = ({ type, logicalId }: { readonly type: string; readonly logicalId: string }) =>
  keptPlaces.filter((place) => place.type === type && place.logicalId.test(idOf(logicalId)));

test("the resource inventory contains every table, bucket, queue, log group, state machine and bus once", () => {
  expect(keepers.length).toBeGreaterThan(300);
  const wrong = keepers.filter((keeper) => placesOf(keeper).length !== 1);
  expect(wrong.map(({ type, logicalId }) => `${type} ${logicalId}`)).toEqual([]);
  const declared = new Set(tables.map(({ name }) => `Table${name}`));
  const strange = ofType(service, "AWS::DynamoDB::Table").filter(({ logicalId }) => !declared.has(idOf(logicalId)));
  expect(strange).toEqual([]);
});

test("every entry of the inventory exists in the templates", () => {
  const gone = keptPlaces.filter((place) => !keepers.some((keeper) => placesOf(keeper).includes(place)));
  expect(gone.map(({ name }) => name)).toEqual([]);
});

test("data expires as the inventory states", () => {
  for (const { type, logicalId, properties } of keepers) {
    const [place] = placesOf({ type, logicalId });
    if (place?.leaving.kind !== "expires") continue;
    const { days } = place.leaving;
    if (type === "AWS::SQS::Queue") expect(properties.MessageRetentionPeriod, logicalId).toBe(days * 86_400);
    if (type === "AWS::Logs::LogGroup") expect(properties.RetentionInDays, logicalId).toBe(days);
  }
});
