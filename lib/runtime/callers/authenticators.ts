import { isConsolePath } from "../../contract/console/console-path.ts";
import type { EndpointContract } from "../../contract/endpoint.ts";
import type { Log } from "../log.ts";
import {
  authenticateLab,
  authenticateManagement,
  authenticateTeam,
  type LabCaller,
  type ManagementCaller,
  type TeamCaller,
} from "./authenticate.ts";
import { authenticateLink, type LinkCaller } from "./authenticate-link.ts";
import { authenticatePortal, type PortalCaller } from "./authenticate-portal.ts";
import { authenticateReview, type ReviewCaller } from "./authenticate-review.ts";
import { authenticateSession, type SessionCaller } from "./authenticate-session.ts";
import { authenticateConsole, type ConsoleCaller, type CredentialParts } from "./console/authenticate-console.ts";
import { authenticateConsoleManagement } from "./console/authenticate-console-management.ts";
import { admitRequest } from "./request-limit.ts";

/** The caller of an endpoint by its kind of authentication. */
export interface Callers {
  team: TeamCaller;
  console: ConsoleCaller;
  lab: LabCaller;
  management: ManagementCaller;
  portal: PortalCaller;
  review: ReviewCaller;
  link: LinkCaller;
  session: SessionCaller;
  none: object;
}

// One export for each kind of authentication, so that a function's bundle contains that of its contract alone.
export const team = (
  request: CredentialParts,
  log: Log,
  { acceptsBearerKeys }: Pick<EndpointContract, "acceptsBearerKeys">,
) => admitCaller(authenticateTeam(request, acceptsBearerKeys), log);
export const console = (request: CredentialParts, log: Log) => admitCaller(authenticateConsole(request), log);
export const lab = ({ headers }: CredentialParts, log: Log) => admitCaller(authenticateLab(headers), log);
export const managementKey = ({ headers }: CredentialParts) => authenticateManagement(headers);
export const management = (request: CredentialParts) =>
  isConsolePath(request.rawPath) ? authenticateConsoleManagement(request) : managementKey(request);
export const portal = ({ headers }: CredentialParts) => authenticatePortal(headers);
export const review = ({ headers }: CredentialParts) => authenticateReview(headers);
export const link = (
  { headers }: CredentialParts,
  _: Log,
  { acceptsEndedLinks }: Pick<EndpointContract, "acceptsEndedLinks">,
) => authenticateLink(headers, acceptsEndedLinks);
export const session = ({ headers }: CredentialParts) => authenticateSession(headers);
export const none = async () => ({});

/** Returns the caller if the team is within its rate limit. @throws Unauthorized, TooManyRequests. */
async function admitCaller<Caller extends TeamCaller | ConsoleCaller | LabCaller>(
  found: Promise<Caller>,
  log: Log,
): Promise<Caller> {
  const caller = await found;
  await admitRequest(caller.team, log);
  return caller;
}
