import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import { type AwsTarget, type Forward, MAX_FORWARDS } from "../../../lib/events/forwarding/forward-rules.ts";

/** The ARN of a resource in the account of a deployment's operator. */
const arn = (service: string, name: string) => `arn:aws:${service}:eu-west-1:111122223333:${name}`;

/** Forwards to each kind of target; the patterns of later ones overlap with earlier ones. */
export const sampleForwards: readonly (Forward & { to: AwsTarget })[] = [
  { name: "critical", prefixes: ["labtest.result."], to: { kind: "bus", arn: arn("events", "event-bus/alerts") } },
  {
    name: "weights",
    prefixes: ["daily.data.weight.", "historical.data.weight."],
    to: { kind: "sqs", arn: arn("sqs", "weights.fifo") },
  },
  {
    name: "lab",
    prefixes: ["labtest.", "lab_report."],
    to: { kind: "kinesis", arn: arn("kinesis", "stream/lab"), keyArn: arn("kms", "key/0a1b") },
  },
  { name: "daily", prefixes: ["daily."], to: { kind: "kinesis", arn: arn("kinesis", "stream/daily") } },
];

/** The maximum number of forwards, all to queues, with names and ARNs of maximum length. */
export const maxForwards: readonly Forward[] = catalogue.slice(0, MAX_FORWARDS).map(({ type }, place) => ({
  name: `forward${String(place).padStart(24, "0")}`,
  prefixes: [type],
  to: { kind: "sqs", arn: arn("sqs", `${place}${"q".repeat(79)}`), keyArn: arn("kms", `key/${"k".repeat(36)}`) },
}));
