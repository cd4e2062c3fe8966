import { expect } from "vitest";
import { type ContractWorld, dataProvider } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";
import { recordDay } from "./records.ts";

const steps = {
  select: [
    { groupKey: "*" as const },
    { func: "sum" as const, arg: { timeseries: "steps" as const, field: "value" as const } },
  ],
};

/** Creates a continuous query of the team, and a user with later data. */
async function computed(world: ContractWorld): Promise<{ userId: string; queryIdOrSlug: string }> {
  const { org_id, team_id } = world.service.identity;
  const slug = `steps-${world.newClientUserId()}`;
  const query = {
    select: [{ group_key: "*" }, { func: "sum", arg: { timeseries: "steps", field: "value" } }],
    group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "timeseries" } }],
  };
  const path = `/v1/org/${org_id}/team/${team_id}/sandbox/continuous_query`;
  await world.service.manage("POST", path, { body: { slug, title: "Steps", query } });
  const userId = await world.newUser();
  const sample = {
    start: `${recordDay}T10:00:00Z`,
    end: `${recordDay}T10:01:00Z`,
    value: 42,
    unit: "count",
    timezone_offset: 0,
  };
  await world.service.call("POST", `/v2/ingest/${userId}`, {
    body: { provider: dataProvider, source_type: "watch", resources: { steps: [sample] } },
  });
  await world.service.settle();
  await world.service.advance(120_000);
  return { userId, queryIdOrSlug: slug };
}

/** Queries, continuous queries, and source priorities. */
export const aggregateRows: MethodRows = {
  aggregate: {
    queryOne: {
      request: ({ userId }) => ({
        userId,
        timeframe: { type: "relative", anchor: recordDay, past: { value: 2, unit: "day" } },
        queries: [{ ...steps, groupBy: [{ dateTrunc: { value: 1, unit: "day" }, arg: { index: "timeseries" } }] }],
      }),
      shows: (answer) =>
        expect(answer.results).toEqual([
          { table: { "group_key.0": [`${recordDay}T00:00:00`], "sum.value": [expect.any(Number)] } },
        ]),
    },
    getResultTableForContinuousQuery: {
      request: computed,
      shows: (answer) => expect(answer.table).toEqual({ "group_key.0": [`${recordDay}T00:00:00`], "sum.value": [42] }),
    },
    getTaskHistoryForContinuousQuery: {
      request: computed,
      shows: (answer) =>
        expect(answer.data).toEqual([expect.objectContaining({ status: "completed", endedAt: expect.any(Date) })]),
    },
  },
  team: {
    getSourcePriorities: {
      request: () => ({ dataType: "sleep" }),
      shows: (answer) => expect(answer).toContainEqual({ data_type: "sleep", provider: dataProvider, priority: 0 }),
    },
    updateSourcePriorities: {
      request: () => ({}),
      shows: (answer) => expect(answer).toContainEqual({ data_type: "sleep", provider: dataProvider, priority: 0 }),
    },
  },
};
