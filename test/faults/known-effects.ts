import { bestEffortQueues } from "./best-effort-queues.ts";

/** An effect that a single fault may leave, and the reason why it is correct. */
interface KnownEffect {
  /** All operations by default. */
  readonly operations?: readonly string[];
  readonly problem: RegExp;
  readonly why: string;
}

const SUCCEEDED = /^says that it succeeded, and lacks /;
/** The repetition is rejected or changes nothing, because the first run did everything except the lost message. */
const ALL_BUT = `^(says that it succeeded, and|repeated \\((ok|refused)\\), it) lacks`;

const known: readonly KnownEffect[] = [
  {
    problem: new RegExp(`${ALL_BUT} (sqs (${bestEffortQueues.join("|")}) [^;]*?(; |, and has |$))+$`),
    why: "The task is stored, and a sweeper starts it if the message is lost.",
  },
  {
    operations: ["storeBatch"],
    problem: new RegExp(
      `${ALL_BUT} (events (\\{"pk":\\{"S":"(event#U#U|feed#U|feed#last#U|receipt#pending#U#U)"\\}| [a-z_.]+ \\{)[^;]*(; )?)+$`,
    ),
    why: "A batch that broke off, or whose event the bus refused, leaves the event to the sweeper (decision 0017).",
  },
  {
    operations: ["relayEvents"],
    problem:
      /^repeated \(ok\), it left events \{"pk":\{"S":"feed#U"\},"sk":\{"S":"N"\}\} created entries,expires_at,first,pk,sk$/,
    why: "Events that the bus accepts in two parts are appended in two transactions. The first may fill the tail, which becomes a page.",
  },
  {
    operations: ["undoDelete"],
    problem: new RegExp(`${ALL_BUT} states [^;]*$`),
    why: "The wait of an undone deletion continues without effect, because its user is active again.",
  },
  {
    operations: ["eraseTeams"],
    problem: new RegExp(`${ALL_BUT} states [^;]*$`),
    why: "The sweeper starts a stored deletion that was not started. The team's deletion waits for it.",
  },
  {
    operations: ["deleteTeamApiKeys", "deleteCustomCredenti"],
    problem: SUCCEEDED,
    why: "The response states for each id whether it was deleted.",
  },
  {
    operations: ["finishOauthLink"],
    problem: /^repeated \(refused\)/,
    why: "A provider's state and code are valid once. The user starts again, and no connection exists.",
  },
  {
    operations: ["finishConsoleSignIn"],
    problem:
      /^repeated \(refused\), it lacks directory \S*"console_session#U"\S* (created [a-z_,]*|deleted)(, and has )?/,
    why: "A provider's state and code are valid once. The person begins another sign-in, which ends the earlier session.",
  },
  {
    operations: ["finishConsoleSignIn"],
    problem: /^in a new container: \{"statusCode":400,.*The provider did not answer\./,
    why: "A provider that does not answer is not a failure of the service. The person waits and begins another sign-in.",
  },
  {
    operations: ["refreshSession"],
    problem: /^repeated \(refused\), .* directory \{"pk":\{"S":"session#U#U"\},"sk":\{"S":"U"\}\} deleted$/,
    why: "A refresh token is valid once. A second use can mean theft, so the session ends.",
  },
  {
    operations: ["bulkTriggerHistoricalPull", "bulkImport"],
    problem: /it left directory \{"pk":\{"S":"bulk_op#/,
    why: "An operation without all its stored steps was never acknowledged and ends as aborted.",
  },
  {
    operations: ["testWebhook", "testPortalWebhook"],
    problem: /it left (events \{"pk":\{"S":"(event|delivery)#U#"\},"sk":\{"S":"(U#)?X"\}\} created [^;]*(; )?)+$/,
    why: "A test event without its delivery has no reader and expires. A repeated request sends another one.",
  },
  {
    operations: ["resendEvents"],
    problem:
      /^repeated \(ok\), it left (events \{"pk":\{"S":"event#U#U"\},"sk":\{"S":"(body#)?X"\}\} created [^;]*(; )?)+$/,
    why: "A repeated request to resend events sends all of them again, including those of the first request.",
  },
  {
    operations: ["reschedulePhlebotomyAppointm", "reschedulePscAppointment"],
    problem: /^repeated \(ok\), it left (events \{"pk":\{"S":"event#U#U"\},"sk":\{"S":"X"\}\} created [^;]*(; )?)+$/,
    why: "Rescheduling an appointment to its own time is another change, with its own event.",
  },
  {
    operations: ["deliverEvent"],
    problem:
      /^repeated \(ok\), it lacks (events \S*"health#U"\S* created [a-z_,]+; )?events \S*"delivery#U#U"\S* created attempts,\S*, and has (events \S*"health#U"\S* changed [a-z_,]+; )?events \S*"delivery#U#U"\S* created attempts,\S*$/,
    why: "A message that comes again may have had its first attempt, or come after a hold. The queue makes the next one.",
  },
  {
    operations: ["attemptDelivery"],
    problem:
      /^repeated \(ok\), it lacks sqs webhookAttempts [^;]*, and has events \S*"health#U"\S* changed expires_at; events \S*"delivery#U#U"\S* changed attempts,\S*$/,
    why: "A message that comes again after the hold of its endpoint makes its attempt, instead of a message about it.",
  },
  {
    operations: ["runWebhookTask"],
    problem: /"task#U#U"\},"sk":\{"S":"U"\}\} changed looked_at,position,state,step,updated_at$/,
    why: "Events that an interrupted step sent are not counted. The count is a minimum.",
  },
  {
    operations: ["runWebhookTask"],
    problem:
      /^repeated \(ok\), it lacks events \S*"task#U#U"\S* changed [a-z_,]+; sqs webhookTaskSteps [^;]*, and has events \S*"task#U#U"\S* changed looked_at,sent,state,step,updated_at; /,
    why: "The lost response was about a stored position. The message that comes again takes the next step instead of one of its own.",
  },
  {
    operations: ["getFhirPatient", "requestFhirGroupExport", "startFhirGroupExport", "startFhirPatientExport"],
    problem: /^repeated \(ok\), it left events \{"pk":\{"S":"bulk_export#U"\},"sk":\{"S":"(job|open)#/,
    why: "The standard has no idempotency key for a start. An export without a caller runs to its end and expires.",
  },
  {
    operations: ["createFhirToken"],
    problem: /^repeated \(refused\), it lacks directory \{"pk":\{"S":"key#K"\},"sk":\{"S":"key"\}\} created /,
    why: "An assertion of a SMART client works once. The client signs another one for its next request.",
  },
];

/** The reason why a fault may have this effect; undefined if it may not. */
export function knownEffectReason({ operation, problem }: { operation: string; problem: string }): string | undefined {
  return known.find(
    ({ operations, problem: effect }) => operations?.includes(operation) !== false && effect.test(problem),
  )?.why;
}
