import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type * as sqs from "aws-cdk-lib/aws-sqs";
import { Duration, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { HttpApiStack } from "./http-api-stack.ts";

/** A queue with its display name. */
interface NamedQueue {
  readonly name: string;
  readonly queue: sqs.IQueue;
}

/** A queue that functions consume. */
interface ConsumedQueue extends NamedQueue {
  /** Whether webhooks are late when its messages wait. */
  readonly delaysWebhooks?: true | undefined;
}

export interface DashboardProps extends StackProps {
  /** Prefix of the deployment's log groups. */
  readonly logPrefix: string;
  readonly apis: Readonly<Record<string, HttpApiStack>>;
  readonly queues: readonly ConsumedQueue[];
  readonly deadLetters: readonly NamedQueue[];
}

const [WIDGET_WIDTH, WIDGET_HEIGHT] = [12, 6];

/** A dashboard of errors, response codes, queue ages and dead letters. At most fifty metrics, which are free. */
export class DashboardStack extends Stack {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id, props);
    const { apis, queues, deadLetters, logPrefix } = props;
    const graph = (title: string, left: cloudwatch.IMetric[]) =>
      new cloudwatch.GraphWidget({ title, left, width: WIDGET_WIDTH, height: WIDGET_HEIGHT });
    const ofWebhooks = queues.filter(({ delaysWebhooks }) => delaysWebhooks);
    const others = queues.filter(({ delaysWebhooks }) => !delaysWebhooks);
    new cloudwatch.Dashboard(this, "Dashboard", {
      defaultInterval: Duration.hours(12),
      widgets: [
        [this.#errorsByGroup(logPrefix), graph("5xx and 4xx responses", Object.entries(apis).flatMap(statusMetrics))],
        [
          graph("Age of oldest message by queue (s)", others.map(ageMetric)),
          graph("Webhook latency: age of oldest undelivered event (s)", ofWebhooks.map(ageMetric)),
        ],
        [
          graph("Dead letters", deadLetters.map(depthMetric)),
          graph("Latency (ms)", Object.entries(apis).flatMap(latencyMetrics)),
        ],
      ],
    });
  }

  /** Number of error log lines by folder of the function. CloudWatch charges for the GB searched. */
  #errorsByGroup(logPrefix: string): cloudwatch.IWidget {
    return new LogSearch(
      "Errors by group",
      [
        `SOURCE logGroups(namePrefix: ["${logPrefix}"])`,
        'filter level = "error"',
        `parse @log /:${logPrefix.replaceAll("/", "\\/")}(?<group>[a-z-]+)\\//`,
        "stats count(*) as errors by group",
        "sort errors desc",
      ].join(" | "),
      this.region,
    );
  }
}

/** A Logs Insights query over log groups by name prefix. CDK's widget would need a list of the log groups. */
class LogSearch extends cloudwatch.ConcreteWidget {
  readonly #title: string;
  readonly #query: string;
  readonly #region: string;

  constructor(title: string, query: string, region: string) {
    super(WIDGET_WIDTH, WIDGET_HEIGHT);
    this.#title = title;
    this.#query = query;
    this.#region = region;
  }

  override toJson(): unknown[] {
    const properties = { title: this.#title, view: "table", region: this.#region, query: this.#query };
    return [{ type: "log", width: this.width, height: this.height, x: this.x, y: this.y, properties }];
  }
}

function metric(api: HttpApiStack, metricName: string, statistic: string, label: string): cloudwatch.Metric {
  const dimensionsMap = { ApiId: api.api.ref };
  return new cloudwatch.Metric({ namespace: "AWS/ApiGateway", metricName, dimensionsMap, statistic, label });
}

const statusMetrics = ([name, api]: [string, HttpApiStack]) =>
  ["5xx", "4xx"].map((kind) => metric(api, kind, "Sum", `${name} ${kind}`));
const latencyMetrics = ([name, api]: [string, HttpApiStack]) =>
  ["p50", "p95"].map((share) => metric(api, "Latency", share, `${name} ${share}`));
const ageMetric = ({ name, queue }: NamedQueue) =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: "Maximum", label: name });
const depthMetric = ({ name, queue }: NamedQueue) =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", label: name });
