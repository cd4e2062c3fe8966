import { readIdleActivity } from "./idle-activity.ts";
import { findAssumption, findPrice, prices } from "./price-table.ts";
import type { PricedTemplate, TemplateResource } from "./priced-template.ts";

/** One line of the idle cost. */
interface CostLine {
  readonly what: string;
  readonly count: number;
  readonly unit: string;
  /** Dollars at list price. */
  readonly list: number;
  /** Dollars after the free allowance of an account. */
  readonly paid: number;
}

/** Monthly cost of a deployment without traffic. */
export interface IdleCost {
  readonly lines: readonly CostLine[];
  readonly list: number;
  readonly paid: number;
  /** Resource types that are free while idle, with the reason. */
  readonly free: Readonly<Record<string, string>>;
}

/** Billed units of a resource, by its type. {@link readIdleActivity} counts the work of schedules and mappings. */
const unitCounters: Readonly<Record<string, (resource: TemplateResource) => Readonly<Record<string, number>>>> = {
  "AWS::CloudWatch::Alarm": ({ Properties }) => ({
    alarm: Array.isArray(Properties.Metrics) ? Properties.Metrics.length : 1,
  }),
  "AWS::CloudWatch::Dashboard": () => ({ dashboard: 1 }),
  "AWS::KMS::Key": () => ({ kmsKey: 1 }),
  "AWS::SecretsManager::Secret": () => ({ secret: 1 }),
  "AWS::WAFv2::WebACL": ({ Properties }) => ({
    webAcl: 1,
    webAclRule: Array.isArray(Properties.Rules) ? Properties.Rules.length : 0,
  }),
};

/** Computes the idle cost. @throws Error with every type that has neither a price nor a reason to be free. */
export function computeIdleCost(templates: readonly PricedTemplate[]): IdleCost {
  const resources = templates.flatMap((template) => Object.values(template.resources));
  const types = [...new Set(resources.map(({ Type }) => Type))].sort();
  const unknown = types.filter((type) => !unitCounters[type] && !prices.freeWhileIdle[type]);
  if (unknown.length > 0) throw new Error(`data/aws-prices.json has no entry for ${unknown.join(", ")}`);
  const units = new Map<string, number>();
  const add = (amounts: Readonly<Record<string, number>>) => {
    for (const [name, amount] of Object.entries(amounts)) units.set(name, (units.get(name) ?? 0) + amount);
  };
  for (const resource of resources) add(unitCounters[resource.Type]?.(resource) ?? {});
  add(toMonthlyUnits(readIdleActivity(templates)));
  const lines = [...units].flatMap(([name, count]) => (count > 0 ? toCostLine(name, count) : []));
  const free = types.flatMap((type) => (prices.freeWhileIdle[type] ? [[type, prices.freeWhileIdle[type]]] : []));
  const sum = (of: "list" | "paid") => lines.reduce((total, line) => total + line[of], 0);
  return {
    lines: lines.toSorted((one, other) => other.list - one.list),
    list: sum("list"),
    paid: sum("paid"),
    free: Object.fromEntries(free),
  };
}

function toCostLine(name: string, count: number): CostLine {
  const { label, price, per, unit, free } = findPrice(name);
  const dollars = (amount: number) => (amount * price) / per;
  return { what: label, count, unit, list: dollars(count), paid: dollars(Math.max(0, count - free)) };
}

/** Billed units of the idle work per month. */
function toMonthlyUnits(work: ReturnType<typeof readIdleActivity>): Record<string, number> {
  const minutes = prices.hours * 60;
  const runs = work.runsPerHour * prices.hours;
  return {
    sqsRequest: work.queueMappings * findAssumption("emptyReceivesPerMinute") * minutes,
    lambdaRequest: runs,
    lambdaGbSecond: work.gbRunsPerHour * prices.hours * findAssumption("runSeconds"),
    trace: work.tracedRunsPerHour * prices.hours,
    logGb: (runs * findAssumption("logBytesPerRun")) / 1e9,
    dynamodbRead: work.runsPerHour * prices.hours * findAssumption("readUnitsPerRun"),
    kmsRequest: (work.readTables * minutes) / findAssumption("tableKeyCachedMinutes"),
  };
}
