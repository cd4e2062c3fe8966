import type { PricedTemplate, TemplateResource } from "./priced-template.ts";

/** Activity of a deployment without traffic. */
export interface IdleActivity {
  /** Number of queue mappings, which Lambda polls even without messages. */
  readonly queueMappings: number;
  /** Runs of all schedules per hour. */
  readonly runsPerHour: number;
  /** Runs per hour, each multiplied by the memory of its function in GB. */
  readonly gbRunsPerHour: number;
  /** Traced runs per hour. */
  readonly tracedRunsPerHour: number;
  /** Number of tables over all functions that run more often than the cached table key expires. */
  readonly readTables: number;
}

const MINUTES = { minute: 1, hour: 60, day: 1440 };

/**
 * Reads the schedules and mappings of templates.
 * @throws Error for a schedule that is not a rate, or whose function is not in its stack.
 */
export function readIdleActivity(templates: readonly PricedTemplate[]): IdleActivity {
  const scheduled = templates.flatMap(readSchedules);
  const sum = (of: (one: ScheduledRule) => number) => scheduled.reduce((total, one) => total + of(one), 0);
  const mappings = templates.flatMap(({ resources }) => ofType(resources, "AWS::Lambda::EventSourceMapping"));
  return {
    queueMappings: mappings.filter(({ Properties }) => Properties.StartingPosition === undefined).length,
    runsPerHour: sum(({ perHour }) => perHour),
    gbRunsPerHour: sum(({ perHour, memoryMb }) => (perHour * memoryMb) / 1024),
    tracedRunsPerHour: sum(({ perHour, isTraced }) => (isTraced ? perHour : 0)),
    readTables: sum(({ perHour, tables }) => (perHour >= 12 ? tables : 0)),
  };
}

interface ScheduledRule {
  readonly perHour: number;
  readonly memoryMb: number;
  readonly isTraced: boolean;
  readonly tables: number;
}

type Resources = PricedTemplate["resources"];

const ofType = (resources: Resources, type: string): TemplateResource[] =>
  Object.values(resources).filter(({ Type }) => Type === type);

function readSchedules({ name, resources }: PricedTemplate): ScheduledRule[] {
  const rules = ofType(resources, "AWS::Events::Rule").filter(({ Properties }) => Properties.ScheduleExpression);
  return rules.map(({ Properties: { ScheduleExpression, Targets } }) => {
    const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(String(ScheduleExpression)) ?? [];
    const called = (Targets as { Arn?: { "Fn::GetAtt"?: string[] } }[])[0]?.Arn?.["Fn::GetAtt"]?.[0] ?? "";
    const fn = resources[called]?.Properties;
    if (unit === undefined || !fn)
      throw new Error(`${name}: the price of the schedule ${ScheduleExpression} is unknown`);
    const { Variables = {} } = (fn.Environment ?? {}) as { Variables?: Record<string, unknown> };
    return {
      perHour: 60 / (Number(count) * MINUTES[unit as keyof typeof MINUTES]),
      memoryMb: Number(fn.MemorySize),
      isTraced: (fn.TracingConfig as { Mode?: string } | undefined)?.Mode === "Active",
      tables: Object.keys(Variables).filter((key) => key.startsWith("TABLE_")).length,
    };
  });
}
