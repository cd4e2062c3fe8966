import { sweptQueues } from "./swept-queues.ts";

/** What a single fault may leave, and why that is right. */
interface KnownEffect {
  /** All when left out. */
  readonly operations?: readonly string[];
  readonly problem: RegExp;
  readonly why: string;
}

const SUCCEEDED = /^says that it succeeded, and lacks /;
/** It is refused, or changes nothing, because the first time did all but send what got lost. */
const ALL_BUT = `^(says that it succeeded, and|repeated \\((ok|refused)\\), it) lacks`;

const known: readonly KnownEffect[] = [
  {
    problem: new RegExp(`${ALL_BUT} (sqs (${sweptQueues.join("|")}) [^;]*?(; |, and has |$))+$`),
    why: "What is to be done is written down, and a sweeper tells of it when the message is lost.",
  },
  {
    operations: ["undoDelete"],
    problem: new RegExp(`${ALL_BUT} states [^;]*$`),
    why: "A deletion whose wait goes on though it was undone ends in nothing: its user is not deleted any more.",
  },
  {
    operations: ["eraseTeams"],
    problem: new RegExp(`${ALL_BUT} states [^;]*$`),
    why: "A deletion that is written down and was not started is started by the sweeper, and the team waits for it.",
  },
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
    operations: ["refreshSession"],
    problem: /^repeated \(refused\), .* directory \{"pk":\{"S":"session#U#U"\},"sk":\{"S":"U"\}\} deleted$/,
    why: "A refresh token is good for once: whoever shows it twice may have stolen it, and the session ends.",
  },
  {
    operations: ["bulkTriggerHistoricalPull", "bulkImport"],
    problem: /it left directory \{"pk":\{"S":"bulk_op#/,
    why: "An operation whose steps were not all written down was never acknowledged, and ends as aborted.",
  },
  {
    operations: ["testWebhook", "testPortalWebhook"],
    problem: /it left events \{"pk":\{"S":"event#U#"\},"sk":\{"S":"X"\}\} created [^;]*$/,
    why: "The event of a test without its delivery is seen by nobody and expires.",
  },
  {
    operations: ["resendEvents"],
    problem:
      /^repeated \(ok\), it left (events \{"pk":\{"S":"event#U#U"\},"sk":\{"S":"(body#)?X"\}\} created [^;]*(; )?)+$/,
    why: "Whoever asks again for events to be sent again gets them again, also those that the first time had come to.",
  },
  {
    operations: ["reschedulePhlebotomyAppointm", "reschedulePscAppointment"],
    problem: /^repeated \(ok\), it left (events \{"pk":\{"S":"event#U#U"\},"sk":\{"S":"X"\}\} created [^;]*(; )?){2}$/,
    why: "To move an appointment to where it is already is another move, which is told of too.",
  },
  {
    operations: ["runWebhookTask"],
    problem: /"task#U#U"\},"sk":\{"S":"U"\}\} changed looked_at,position,state,step,updated_at$/,
    why: "What a step has sent that broke off is not counted as sent: the count is of those sent at least.",
  },
];

/** Why a fault may have this effect; undefined where it may not. */
export function reasonFor({ operation, problem }: { operation: string; problem: string }): string | undefined {
  return known.find(
    ({ operations, problem: effect }) => operations?.includes(operation) !== false && effect.test(problem),
  )?.why;
}
