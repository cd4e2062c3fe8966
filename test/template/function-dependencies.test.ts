import { afterAll, expect, test } from "vitest";
import { effectiveGrants } from "../../lib/contract/access-log-mode.ts";
import { ownTables, type TableAccess } from "../../lib/runtime/aws/table-access.ts";
import { factories } from "../../lib/runtime/dependency-table.ts";
import { sampleForwards } from "./support/forwards.ts";
import { deployedContracts } from "./support/function-paths.ts";
import { findResource, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService({ forward: sampleForwards, lake: true });
const original = process.env;
afterAll(() => {
  process.env = original;
});

// All functions of a local start share one environment, so only this test sees a location that one of them lacks.
test.each(deployedContracts)("$operationId creates its dependencies in its own environment", async (contract) => {
  const { properties } = findResource(service, "AWS::Lambda::Function", `${contract.operationId}Function`);
  const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
  const named = Object.entries(Variables).map(([name, value]) => [name, String(value)]);
  process.env = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  Object.assign(process.env, Object.fromEntries(named));
  const names = [...new Set(effectiveGrants(contract).map(({ dependency }) => dependency))];
  const failed: string[] = [];
  for (const name of names) {
    const create = factories[name as keyof typeof factories] as ((tables: TableAccess) => Promise<unknown>) | undefined;
    await Promise.resolve(create?.(ownTables())).catch((error: Error) => failed.push(`${name}: ${error.message}`));
  }
  expect(failed).toEqual([]);
});
