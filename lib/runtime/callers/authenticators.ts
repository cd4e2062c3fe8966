import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Auth } from "../../contract/endpoint.ts";
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

/** Authenticates a request by its headers. @throws Unauthorized, TooManyRequests. */
export const authenticators: Readonly<
  Record<Auth, (headers: APIGatewayProxyEventV2["headers"], log: Log) => Promise<object>>
> = {
  team: (headers, log) => admitCaller(authenticateTeam(headers), log),
  lab: (headers, log) => admitCaller(authenticateLab(headers), log),
  management: authenticateManagement,
  portal: authenticatePortal,
  review: authenticateReview,
  link: authenticateLink,
  session: authenticateSession,
  none: async () => ({}),
};

/** Returns the caller if the team is within its rate limit. @throws Unauthorized, TooManyRequests. */
async function admitCaller<Caller extends TeamCaller | LabCaller>(found: Promise<Caller>, log: Log): Promise<Caller> {
  const caller = await found;
  await admitRequest(caller.team, log);
  return caller;
}
