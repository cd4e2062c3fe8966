import { readFileSync } from "node:fs";
import type { TestService } from "../../support/service.ts";
import type { ReadMetric } from "./evaluate-alarm.ts";

interface DataPoint {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Epoch ms. */
  readonly at: number;
}

interface EmbeddedMetrics {
  readonly Timestamp: number;
  readonly CloudWatchMetrics: readonly {
    readonly Namespace: string;
    readonly Dimensions: readonly (readonly string[])[];
    readonly Metrics: readonly { readonly Name: string }[];
  }[];
}

const keyOf = (dimensions: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(dimensions).toSorted());

/** The metrics of a release: those that functions count by log lines, and those that Lambda and the APIs count. */
export class ReleaseMetrics {
  readonly #points: DataPoint[] = [];
  readonly #service: TestService;

  constructor(service: TestService, aliasDimensions: ReadonlyMap<string, Readonly<Record<string, string>>>) {
    this.#service = service;
    service.cloud.host.aliases.observe = (aliasArn, version, hasFailed) => {
      const dimensions = { ...aliasDimensions.get(aliasArn), ExecutedVersion: version };
      this.add("AWS/Lambda", "Invocations", dimensions, 1);
      this.add("AWS/Lambda", "Errors", dimensions, hasFailed ? 1 : 0);
    };
  }

  /** Counts a value at the present. */
  add(namespace: string, name: string, dimensions: DataPoint["dimensions"], value: number): void {
    this.#points.push({ namespace, name, dimensions, value, at: this.#service.cloud.clock.now() });
  }

  /** Reads the sums of the period that ends now. */
  reader(): ReadMetric {
    const points = [...this.#points, ...this.#embedded()];
    const now = this.#service.cloud.clock.now();
    return ({ namespace, name, dimensions, periodS }) => {
      const found = points.filter(
        (point) =>
          point.at > now - periodS * 1_000 &&
          point.namespace === namespace &&
          point.name === name &&
          keyOf(point.dimensions) === keyOf(dimensions),
      );
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    };
  }

  /** The metrics in the log of all functions (CloudWatch User Guide, "Specification: Embedded metric format"). */
  #embedded(): DataPoint[] {
    const lines = readFileSync(this.#service.data.file("functions.log"), "utf8").split("\n");
    return lines.filter((line) => line.includes('"_aws"')).flatMap((line) => pointsOf(line.slice(line.indexOf("{"))));
  }
}

function pointsOf(line: string): DataPoint[] {
  const fields = JSON.parse(line) as Readonly<Record<string, unknown>> & { readonly _aws: EmbeddedMetrics };
  const { Timestamp: at, CloudWatchMetrics } = fields._aws;
  return CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(fields[name])]));
      return Metrics.map(({ Name: name }) => ({ namespace, name, dimensions, value: Number(fields[name]), at }));
    }),
  );
}
