import { expect, test } from "vitest";
import { resourceInventory } from "../../lib/contract/erasure/resource-inventory.ts";
import { tables } from "../../lib/contract/resources.ts";
import { sampleForwards } from "./support/forwards.ts";
import { resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService({ forward: sampleForwards, lake: true });
/** Resource types that can store or forward data. */
const DATA_RESOURCE_TYPES =
  /^AWS::(S3::Bucket|SQS::Queue|Logs::LogGroup|StepFunctions::StateMachine|Events::(EventBus|Archive)|SNS::Topic|Kinesis.*|Pipes::Pipe|Scheduler::Schedule)$/;
const dataResources = service.assembly.resources.filter(({ type }) => DATA_RESOURCE_TYPES.test(type));

/** The logical id without the hash that CDK adds. */
const idOf = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, "");
const inventoryEntriesOf = ({ type, logicalId }: { readonly type: string; readonly logicalId: string }) =>
  resourceInventory.filter((place) => place.type === type && place.logicalId.test(idOf(logicalId)));

test("the resource inventory contains every table, bucket, queue, log group, state machine and bus once", () => {
  expect(dataResources.length).toBeGreaterThan(300);
  const wrong = dataResources.filter((keeper) => inventoryEntriesOf(keeper).length !== 1);
  expect(wrong.map(({ type, logicalId }) => `${type} ${logicalId}`)).toEqual([]);
  const declared = new Set(tables.map(({ name }) => `Table${name}`));
  const strange = resourcesOfType(service, "AWS::DynamoDB::Table").filter(
    ({ logicalId }) => !declared.has(idOf(logicalId)),
  );
  expect(strange).toEqual([]);
});

test("every entry of the inventory exists in the templates", () => {
  const gone = resourceInventory.filter(
    (place) => !dataResources.some((keeper) => inventoryEntriesOf(keeper).includes(place)),
  );
  expect(gone.map(({ name }) => name)).toEqual([]);
});

test("data expires as the inventory states", () => {
  for (const { type, logicalId, properties } of dataResources) {
    const [place] = inventoryEntriesOf({ type, logicalId });
    if (place?.disposal.kind !== "expires") continue;
    const { days } = place.disposal;
    if (type === "AWS::SQS::Queue") expect(properties.MessageRetentionPeriod, logicalId).toBe(days * 86_400);
    if (type === "AWS::Logs::LogGroup") expect(properties.RetentionInDays, logicalId).toBe(days);
  }
});
