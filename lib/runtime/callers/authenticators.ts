import type { APIGatewayProxyEventV2 } from "aws-lambda";
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
import { admitRequest } from "./request-limit.ts";

/** The caller of an endpoint by its kind of authentication. */
export interface Callers {
  team: TeamCaller;
  lab: LabCaller;
  management: ManagementCaller;
  portal: PortalCaller;
  review: ReviewCaller;
  link: LinkCaller;
  session: SessionCaller;
  none: object;
}

type Headers = APIGatewayProxyEventV2["headers"];

// One export for each kind of authentication, so that a function's bundle contains that of its contract alone.
export const team = (headers: Headers, log: Log, { acceptsBearerKeys }: Pick<EndpointContract, "acceptsBearerKeys">) =>
  admitCaller(authenticateTeam(headers, acceptsBearerKeys), log);
export const lab = (headers: Headers, log: Log) => admitCaller(authenticateLab(headers), log);
export const management = authenticateManagement;
export const portal = authenticatePortal;
export const review = authenticateReview;
export const link = (headers: Headers, _: Log, { acceptsEndedLinks }: Pick<EndpointContract, "acceptsEndedLinks">) =>
  authenticateLink(headers, acceptsEndedLinks);
export const session = authenticateSession;
export const none = async () => ({});

/** Returns the caller if the team is within its rate limit. @throws Unauthorized, TooManyRequests. */
async function admitCaller<Caller extends TeamCaller | LabCaller>(found: Promise<Caller>, log: Log): Promise<Caller> {
  const caller = await found;
  await admitRequest(caller.team, log);
  return caller;
}
