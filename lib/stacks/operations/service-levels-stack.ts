import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type * as sns from "aws-cdk-lib/aws-sns";
import { Duration, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { businessMetrics } from "../../domain/operations/metrics.ts";
import type { DeploymentConfig } from "../config.ts";
import type { HttpApiStack } from "../http-api-stack.ts";
import { addBurnRateAlarms } from "./burn-rate-alarms.ts";

interface ServiceLevelsProps extends StackProps {
  readonly config: DeploymentConfig;
  /** The main API. */
  readonly api: HttpApiStack;
  readonly alarms: sns.ITopic;
}

const [WIDTH, HEIGHT] = [12, 6];

/** Alarms on the service levels of docs/service-levels.md, and a dashboard of the business metrics. */
export class ServiceLevelsStack extends Stack {
  readonly #namespace: string;

  constructor(scope: Construct, id: string, { config, api, alarms, ...props }: ServiceLevelsProps) {
    super(scope, id, props);
    this.#namespace = config.name.toLowerCase();
    const { batchesStored, batchesLate, eventsRouted, eventsLate } = businessMetrics;
    const ofApi = (metricName: string) =>
      new cloudwatch.Metric({ namespace: "AWS/ApiGateway", metricName, dimensionsMap: { ApiId: api.api.ref } });
    addBurnRateAlarms(this, "Availability", {
      ...{ objective: 0.999, bad: ofApi("5xx"), total: ofApi("Count"), topic: alarms },
      impact: "Requests of callers fail so often that the month's share of failures is soon used up.",
    });
    addBurnRateAlarms(this, "Storing", {
      ...{ objective: 0.99, bad: this.#count(batchesLate, "ingest"), total: this.#count(batchesStored, "ingest") },
      ...{ topic: alarms, impact: "Data is readable later than a minute after its push, too often." },
    });
    addBurnRateAlarms(this, "Delivery", {
      ...{ objective: 0.99, bad: this.#count(eventsLate, "webhooks"), total: this.#count(eventsRouted, "webhooks") },
      ...{ topic: alarms, impact: "Webhooks start later than a minute after their event, too often." },
    });
    this.#dashboard();
  }

  #count(metricName: string, service: string): cloudwatch.Metric {
    return new cloudwatch.Metric({ namespace: this.#namespace, metricName, dimensionsMap: { service } });
  }

  #dashboard(): void {
    const period = Duration.minutes(5);
    const graph = (title: string, left: cloudwatch.IMetric[]) =>
      new cloudwatch.GraphWidget({ title, left, width: WIDTH, height: HEIGHT });
    const sums = (title: string, service: string, ...names: readonly string[]) =>
      graph(
        title,
        names.map((name) => this.#count(name, service).with({ statistic: "Sum", period, label: name })),
      );
    const search = (title: string, name: string, dimensions: string) =>
      graph(title, [
        new cloudwatch.SearchExpression({
          expression: `SEARCH('{${this.#namespace},${dimensions}} MetricName="${name}"', 'Sum', ${period.toSeconds()})`,
          period,
          label: "",
        }),
      ]);
    const { samplesStored, batchesStored, batchesLate, eventsRouted, eventsLate } = businessMetrics;
    new cloudwatch.Dashboard(this, "Business", {
      defaultInterval: Duration.hours(12),
      widgets: [
        [sums("Stored samples", "ingest", samplesStored), sums("Stored batches", "ingest", batchesStored, batchesLate)],
        [
          search("Refused records by reason", businessMetrics.recordsRefused, "reason"),
          search("Pulls by provider and outcome", businessMetrics.pulls, "provider,outcome"),
        ],
        [
          sums("Events for webhooks", "webhooks", eventsRouted, eventsLate),
          search("Attempts of webhooks by outcome", businessMetrics.attempts, "outcome"),
        ],
      ],
    });
  }
}
