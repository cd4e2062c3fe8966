import { accessLogMode } from "../../../contract/access-log-mode.ts";
import { consoleReasonHeader } from "../../../contract/compatibility.ts";
import type { EndpointContract } from "../../../contract/endpoint.ts";
import { namesUser } from "../../../contract/user-parameters.ts";
import { parseReason } from "../../../domain/console/console-reason.ts";
import type { ConsoleSession } from "../../../domain/console/console-session.ts";
import type { Team } from "../../../domain/management/records.ts";
import { Forbidden } from "../../errors.ts";

interface ReasonCaller {
  readonly team?: Team;
  readonly consoleSession?: ConsoleSession;
}

/**
 * Requires the reason of a person in the console who asks for data of one user, if the team wants it.
 * @throws Forbidden without a reason, or with one of another form.
 */
export function requireReason(
  contract: EndpointContract,
  { team, consoleSession }: ReasonCaller,
  headers: Readonly<Record<string, string | undefined>>,
  input: object,
): void {
  if (!consoleSession || !team?.settings.console_reasons || accessLogMode(contract) === undefined) return;
  if (!namesUser(contract, input) || parseReason(headers[consoleReasonHeader])) return;
  throw new Forbidden(`The team asks why you look at a user. Say it in the header ${consoleReasonHeader}.`);
}
