import { sweptQueues } from "./swept-queues.ts";

/** What a single fault may leave, and why that is right. */
interface KnownEffect {
  /** All when left out. */
  readonly operations?: readonly string[];
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
    problem: new RegExp(`${SUCCEEDED.source}(sqs (${sweptQueues.join("|")}) [^;]*(; )?)+$`),
    why: "What is to be done is written down, and a sweeper tells of it when the message is lost.",
  },
  {
    operations: ["undoDelete"],
    problem: new RegExp(`${SUCCEEDED.source}states [^;]*$`),
    why: "A deletion whose wait goes on though it was undone ends in nothing: its user is not deleted any more.",
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
  return known.find(
    ({ operations, problem: effect }) => operations?.includes(operation) !== false && effect.test(problem),
  )?.why;
}
