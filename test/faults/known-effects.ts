/** What a single fault may leave, and why that is right. */
interface KnownEffect {
  readonly operations: readonly string[];
  readonly problem: RegExp;
  readonly why: string;
}

const SUCCEEDED = /^says that it succeeded, and lacks /;

const known: readonly KnownEffect[] = [
  {
    operations: ["deleteTeamApiKeys", "deleteCustomCredenti"],
    problem: SUCCEEDED,
    why: "The answer says of each id whether it was deleted.",
  },
  {
    operations: ["finishOauthLink"],
    problem: /^repeated \(refused\)/,
    why: "A state and a code of a provider are good for once: the person begins anew, and no connection is there.",
  },
  {
    operations: ["parserCreateJob", "createOrder"],
    problem: /^says that it succeeded, and lacks sqs [^;]*$/,
    why: "What is to be done is written down, and a sweeper tells of it when the message is lost.",
  },
  {
    operations: ["bulkTriggerHistoricalPull"],
    problem: /it left directory \{"pk":\{"S":"bulk_op#/,
    why: "An operation whose steps were not all written down was never acknowledged, and ends as aborted.",
  },
  {
    operations: ["testWebhook"],
    problem: /it left events \{"pk":\{"S":"event#U#"\},"sk":\{"S":"X"\}\} created [^;]*$/,
    why: "The event of a test without its delivery is seen by nobody and expires.",
  },
];

/** Why a fault may have this effect; undefined where it may not. */
export function reasonFor({ operation, problem }: { operation: string; problem: string }): string | undefined {
  return known.find((one) => one.operations.includes(operation) && one.problem.test(problem))?.why;
}
