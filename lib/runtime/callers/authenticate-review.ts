import { reviewLinkHeader } from "../../contract/compatibility.ts";
import { authenticationAccess } from "../../contract/endpoint.ts";
import { sha256 } from "../../crypto/api-key.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { resolveDependencies } from "../dependencies.ts";
import { Unauthorized } from "../errors.ts";
import { ports } from "../ports.ts";
import { findTeamOfValidCredential } from "./credential-validity.ts";

/** The reviewer of a lab report, with a review link that an API key of the team created. */
export interface ReviewCaller {
  readonly scope: TeamScope;
  /** The API key that created the link. */
  readonly keyId: string;
  /** The only parsing job that the link grants access to. */
  readonly jobId: string;
}

/** @throws Unauthorized unless the headers carry the secret of an unexpired link whose key, team and user are valid. */
export async function authenticateReview(headers: Readonly<Record<string, string | undefined>>): Promise<ReviewCaller> {
  const secret = headers[reviewLinkHeader];
  if (!secret) throw new Unauthorized(`The header ${reviewLinkHeader} is missing.`);
  const { reviewLinks, ...deps } = await resolveDependencies(authenticationAccess.review);
  const link = await reviewLinks.get(sha256(secret));
  const isOver = !link || link.expires_at * 1000 <= ports().clock.now();
  if (isOver || !(await findTeamOfValidCredential(link, deps))) throw new Unauthorized("The link is no longer valid.");
  return { scope: TeamScope.grant(link.team_id), keyId: link.key_id, jobId: link.job_id };
}
