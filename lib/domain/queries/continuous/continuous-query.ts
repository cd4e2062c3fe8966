import * as z from "zod";
import { type AggregationQuery, aggregationQuery, queryConfig } from "../aggregation-query.ts";
import { type CheckedQuery, checkQuery } from "../check-query.ts";
import type { QueryProblem } from "../query-problem.ts";

/** Minimum time between two runs for one user, seconds. */
const MIN_GAP_S = 1_800;

const queryId = z.guid();

/** Whether a text has the form of a query's id, in any case. */
export const hasIdForm = (text: string): boolean => queryId.safeParse(text).success;

const querySlug = z
  .string()
  .regex(
    /^(?!.*--)(?!.*-$)(?!-.*$)[a-z0-9-]{1,128}$/,
    "Use 1 to 128 lowercase letters, digits and single hyphens, without a hyphen at either end",
  )
  .refine((slug) => !hasIdForm(slug), "must not have the form of an id");

const title = z
  .string()
  .regex(/^[A-Za-zÀ-ÖØ-öø-ÿ0-9()&_\-.\s]{0,50}$/, "Use at most 50 letters, digits, spaces and ( ) & _ - .");

const schedulingPreferences = z.strictObject({
  minimum_gap_duration_second: z
    .int()
    .min(MIN_GAP_S)
    .max(31_536_000)
    .nullish()
    .describe("Minimum time between two computations for one user. Default: 1,800"),
});

const exportPreferences = z.strictObject({
  data_events: z
    .strictObject({ enabled: z.boolean().default(true) })
    .default({ enabled: true })
    .describe("Events of changed rows"),
  fhir_observations: z.literal(false, "FHIR observations are not supported").default(false),
});

/** Request body to create a continuous query. */
export const continuousQueryDraft = z.strictObject({
  slug: querySlug,
  title,
  query: aggregationQuery,
  query_config: queryConfig.default({}),
  scheduling_preferences: schedulingPreferences.default({}),
  export_preferences: exportPreferences.default({ data_events: { enabled: true }, fhir_observations: false }),
});

/**
 * Request body to change a continuous query. The query itself is fixed: another query is another continuous query with
 * its own results.
 */
export const continuousQueryPatch = z.strictObject({
  title: title.nullish(),
  scheduling_preferences: schedulingPreferences.nullish(),
});

/** Type of each result column, by name. */
const resultTableSchema = z.record(z.string(), z.string());

/** A continuous query as stored and answered. */
export const continuousQuery = z
  .object({
    id: z.guid(),
    status: z.enum(["active", "archived"]),
    slug: z.string(),
    title: z.string(),
    team_id: z.guid().nullable(),
    query: aggregationQuery,
    query_config: queryConfig,
    scheduling_preferences: z.object({ minimum_gap_duration_second: z.int().nullable() }),
    result_table_schema: resultTableSchema,
    resource_dependencies: z.array(z.string()),
    export_preferences: exportPreferences,
    fhir_observation_mappers: z.array(z.string()),
  })
  .meta({ id: "ContinuousQuery" });
export type ContinuousQuery = z.output<typeof continuousQuery>;

/** Result schema and dependencies of a draft. */
export const validatedQuery = z
  .object({
    result_table_schema: resultTableSchema,
    resource_dependencies: z.array(z.string()),
    fhir_observation_previews: z.null(),
  })
  .meta({ id: "ValidatedContinuousQuery" });

/**
 * Checks the rules of continuous queries. Results are stored by time group and identified by their group keys, so a
 * query has one date_trunc and selects every group key.
 */
function checkContinuousShape({ group_by, select }: AggregationQuery): QueryProblem[] {
  const groups = group_by ?? [];
  const truncated = groups.filter((item) => "date_trunc" in item).length;
  const selected = select.flatMap((item) => ("group_key" in item ? [item.group_key] : []));
  const isEverySelected = selected.includes("*") || groups.every((_, index) => selected.includes(index));
  return [
    ...(truncated === 1 ? [] : [{ path: ["group_by"], message: "A continuous query groups by one date_trunc" }]),
    ...(isEverySelected ? [] : [{ path: ["select"], message: "A continuous query selects every group key" }]),
  ];
}

/** Resources whose changes make the results stale. */
function resourceDependencies({ table }: CheckedQuery): string[] {
  if (typeof table !== "string") return [table.timeseries];
  const others: Readonly<Record<string, string[]>> = {
    workout: ["workouts"],
    derived_readiness: ["sleep", "activity"],
  };
  return others[table] ?? [table];
}

/** Result schema of a continuous query, and the resources whose changes make it stale. */
export interface CheckedContinuousQuery {
  readonly result_table_schema: Record<string, string>;
  readonly resource_dependencies: string[];
}

/**
 * Checks a query as a continuous query.
 * @returns every problem, or the result schema and dependencies.
 */
export function checkContinuousQuery(query: AggregationQuery): CheckedContinuousQuery | readonly QueryProblem[] {
  const checked = checkQuery(query);
  const isSound = "columns" in checked;
  const problems = [...(isSound ? [] : checked), ...checkContinuousShape(query)];
  if (!isSound || problems.length > 0) return problems;
  return { result_table_schema: { ...checked.columns }, resource_dependencies: resourceDependencies(checked) };
}
