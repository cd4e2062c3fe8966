import type { ResolvedResource } from "../../../lib/local/template/read-assembly.ts";

/** The value of a metric over a period that ends now; undefined for a metric without a value. */
export type ReadMetric = (metric: {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly periodS: number;
}) => number | undefined;

/** An alarm of a template. */
export type AlarmResource = Pick<ResolvedResource, "logicalId" | "properties">;

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
    };
    readonly Period: number;
    readonly Stat: string;
  };
}

type Value = number | undefined;

/** The functions of CloudWatch's metric math that alarms of releases use (CloudWatch User Guide, "Using metric math"). */
const metricMath = {
  IF: (condition: boolean, value: Value, otherwise: Value): Value => (condition ? value : otherwise),
  FILL: (value: Value, filler: number): Value => value ?? filler,
  SUM: (values: readonly Value[]): Value => {
    const present = values.filter((value) => value !== undefined);
    return present.length === 0 ? undefined : present.reduce((sum, value) => sum + value, 0);
  },
};

/**
 * Evaluates an alarm of a template by its own expression. @returns whether the alarm is in the state ALARM.
 * @throws Error for an alarm that differs from those of releases.
 */
export function isInAlarm({ logicalId, properties }: AlarmResource, read: ReadMetric): boolean {
  const { Metrics, Threshold, ComparisonOperator, TreatMissingData } = properties;
  if (ComparisonOperator !== "GreaterThanThreshold" || TreatMissingData !== "notBreaching")
    throw new Error(`${logicalId} is another kind of alarm`);
  const queries = Metrics as readonly MetricQuery[];
  const expression = queries.find(({ Expression }) => Expression !== undefined)?.Expression;
  const values = queries.flatMap(({ Id, MetricStat }): [string, Value][] => {
    if (MetricStat === undefined) return [];
    const { Metric, Period: periodS, Stat } = MetricStat;
    if (Stat !== "Sum") throw new Error(`${logicalId} has the statistic ${Stat}`);
    const dimensions = Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value]));
    return [[Id, read({ namespace: Metric.Namespace, name: Metric.MetricName, dimensions, periodS })]];
  });
  const names = [...Object.keys(metricMath), ...values.map(([id]) => id)];
  const evaluate = new Function(...names, `return ${expression};`);
  const result: Value = evaluate(...Object.values(metricMath), ...values.map(([, value]) => value));
  return result !== undefined && result > Number(Threshold);
}
