import type { PricedTemplate, TemplateResource } from "./idle-cost.ts";

/** What goes on while nobody calls. */
export interface IdleWork {
  /** Mappings of queues, which Lambda polls whether there is a message or not. */
  readonly queueMappings: number;
  /** Runs of all schedules in an hour. */
  readonly runsPerHour: number;
  /** The same, each times the memory of its function in GB. */
  readonly gbRunsPerHour: number;
  /** Runs of which a trace is written. */
  readonly tracedRunsPerHour: number;
  /** Tables of functions that run more often than a table's key is kept, each function's counted on its own. */
  readonly readTables: number;
}

const MINUTES = { minute: 1, hour: 60, day: 1440 };

/** Reads from templates what schedules and mappings set off. @throws Error for a schedule that is no rate, or calls no function of its stack. */
export function idleWork(templates: readonly PricedTemplate[]): IdleWork {
  const scheduled = templates.flatMap(schedulesOf);
  const sum = (of: (one: Scheduled) => number) => scheduled.reduce((total, one) => total + of(one), 0);
  const mappings = templates.flatMap(({ resources }) => ofType(resources, "AWS::Lambda::EventSourceMapping"));
  return {
    queueMappings: mappings.filter(({ Properties }) => Properties.StartingPosition === undefined).length,
    runsPerHour: sum(({ perHour }) => perHour),
    gbRunsPerHour: sum(({ perHour, memoryMb }) => (perHour * memoryMb) / 1024),
    tracedRunsPerHour: sum(({ perHour, isTraced }) => (isTraced ? perHour : 0)),
    readTables: sum(({ perHour, tables }) => (perHour >= 12 ? tables : 0)),
  };
}

interface Scheduled {
  readonly perHour: number;
  readonly memoryMb: number;
  readonly isTraced: boolean;
  readonly tables: number;
}

type Resources = PricedTemplate["resources"];

const ofType = (resources: Resources, type: string): TemplateResource[] =>
  Object.values(resources).filter(({ Type }) => Type === type);

function schedulesOf({ name, resources }: PricedTemplate): Scheduled[] {
  const rules = ofType(resources, "AWS::Events::Rule").filter(({ Properties }) => Properties.ScheduleExpression);
  return rules.map(({ Properties: { ScheduleExpression, Targets } }) => {
    const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(String(ScheduleExpression)) ?? [];
    const called = (Targets as { Arn?: { "Fn::GetAtt"?: string[] } }[])[0]?.Arn?.["Fn::GetAtt"]?.[0] ?? "";
    const fn = resources[called]?.Properties;
    if (unit === undefined || !fn) throw new Error(`${name}: the price of ${ScheduleExpression} is not known`);
    const { Variables = {} } = (fn.Environment ?? {}) as { Variables?: Record<string, unknown> };
    return {
      perHour: 60 / (Number(count) * MINUTES[unit as keyof typeof MINUTES]),
      memoryMb: Number(fn.MemorySize),
      isTraced: (fn.TracingConfig as { Mode?: string } | undefined)?.Mode === "Active",
      tables: Object.keys(Variables).filter((key) => key.startsWith("TABLE_")).length,
    };
  });
}
