import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type * as sqs from "aws-cdk-lib/aws-sqs";
import { Duration, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { HttpApiStack } from "./http-api-stack.ts";

/** A queue under the name that people know it by. */
export interface NamedQueue {
  readonly name: string;
  readonly queue: sqs.IQueue;
}

interface DashboardProps extends StackProps {
  /** What log groups of the deployment begin with. */
  readonly logPrefix: string;
  readonly apis: Readonly<Record<string, HttpApiStack>>;
  /** Queues that functions consume. */
  readonly queues: readonly NamedQueue[];
  readonly deadLetters: readonly NamedQueue[];
}

const [WIDTH, HEIGHT] = [12, 6];

/** One dashboard with at most fifty metrics, as many as are free: errors, answers, ages of queues, dead letters. */
export class DashboardStack extends Stack {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id, props);
    const { apis, queues, deadLetters, logPrefix } = props;
    const graph = (title: string, left: cloudwatch.IMetric[]) =>
      new cloudwatch.GraphWidget({ title, left, width: WIDTH, height: HEIGHT });
    const deliveries = queues.filter(({ name }) => name.startsWith("webhook"));
    new cloudwatch.Dashboard(this, "Dashboard", {
      defaultInterval: Duration.hours(12),
      widgets: [
        [this.#errorsByGroup(logPrefix), graph("Answers 5xx and 4xx", Object.entries(apis).flatMap(answers))],
        [
          graph("Oldest message of each queue (s)", queues.filter((one) => !deliveries.includes(one)).map(age)),
          graph("Delivery latency: oldest event that waits for a webhook (s)", deliveries.map(age)),
        ],
        [graph("Dead letters", deadLetters.map(waiting)), graph("Latency (ms)", Object.entries(apis).flatMap(latency))],
      ],
    });
  }

  /** Log lines of level error by the folder of their function; reading it costs by the GB searched. */
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

/** A search of logs whose groups are found by the beginning of their names; the construct of a higher level wants them listed. */
class LogSearch extends cloudwatch.ConcreteWidget {
  readonly #title: string;
  readonly #query: string;
  readonly #region: string;

  constructor(title: string, query: string, region: string) {
    super(WIDTH, HEIGHT);
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

const answers = ([name, api]: [string, HttpApiStack]) =>
  ["5xx", "4xx"].map((kind) => metric(api, kind, "Sum", `${name} ${kind}`));
const latency = ([name, api]: [string, HttpApiStack]) =>
  ["p50", "p95"].map((share) => metric(api, "Latency", share, `${name} ${share}`));
const age = ({ name, queue }: NamedQueue) =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: "Maximum", label: name });
const waiting = ({ name, queue }: NamedQueue) =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", label: name });
