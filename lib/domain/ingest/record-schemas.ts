import type * as z from "zod";
import { streamKinds } from "../summaries/streams/stream-kinds.ts";
import { summaryKinds } from "../summaries/summary-kinds.ts";
import { recordSchema } from "../timeseries/record-schema.ts";
import { timeseriesResources } from "../timeseries/resources.ts";

/** Creators of the schemas of records, by resource of a batch. They are the rules of acceptance, for people. */
const creators: ReadonlyMap<string, () => z.ZodObject> = new Map([
  ...timeseriesResources.map((resource) => [resource.name as string, () => recordSchema(resource)] as const),
  ...summaryKinds.map((kind) => [kind.name as string, () => kind.record] as const),
  ...streamKinds.map((kind) => [kind.name, kind.record] as const),
]);

/** Names of all resources of a batch: timeseries, summaries, streams. */
export const recordResources: readonly string[] = [...creators.keys()];

/** Creates the schema of a valid record of a resource; undefined for an unknown resource. */
export const createRecordSchema = (resource: string): z.ZodObject | undefined => creators.get(resource)?.();
