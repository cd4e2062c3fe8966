const arnOf = (service: string, name: string) => `arn:aws:${service}:us-east-1:000000000000:${name}`;

/** The targets to which tests forward events. */
export const forwardTargets = {
  stream: arnOf("kinesis", "stream/daily"),
  weights: arnOf("sqs", "weights"),
  alerts: arnOf("events", "event-bus/alerts"),
};

/** Settings of a deployment that forwards events to each kind of target. */
export const forwardSettings = {
  forward: [
    { name: "connections", prefixes: ["provider."], to: { kind: "bus", arn: forwardTargets.alerts } },
    { name: "weights", prefixes: ["daily.data.weight."], to: { kind: "sqs", arn: forwardTargets.weights } },
    { name: "daily", prefixes: ["daily."], to: { kind: "kinesis", arn: forwardTargets.stream } },
  ],
};

/**
 * Settings of the deployments that `npm test` starts. Each is a synthesis of its own, so tests share them, and the
 * command builds all at once.
 */
export const testSettings = {
  standard: {},
  /**
   * Stores no earlier versions, and has a low work rate: budgets end within a test, since the burst of a team is 12,000
   * units and that of a phone 1,200.
   */
  small: { asOfDays: 0, workPerSecond: 20 },
  lake: { lake: true },
  teamCredentials: { teamCredentials: true },
};
