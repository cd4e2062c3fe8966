import { reviewLinkHeader } from "../../contract/compatibility.ts";
import { authenticationAccess } from "../../contract/endpoint.ts";
import { sha256 } from "../../crypto/api-key.ts";
import { resolveDependencies } from "../dependencies.ts";
import { Unauthorized } from "../errors.ts";
import { type LinkCreator, requireLiveLink } from "./credential-validity.ts";

/** The reviewer of a lab report, with a review link that an API key or a session of the team created. */
export interface ReviewCaller extends LinkCreator {
  /** The only parsing job that the link grants access to. */
  readonly jobId: string;
}

/** @throws Unauthorized unless the headers carry the secret of an unexpired link whose key, team and user are valid. */
export async function authenticateReview(headers: Readonly<Record<string, string | undefined>>): Promise<ReviewCaller> {
  const secret = headers[reviewLinkHeader];
  if (!secret) throw new Unauthorized(`The header ${reviewLinkHeader} is missing.`);
  const { reviewLinks, ...deps } = await resolveDependencies(authenticationAccess.review);
  const { link, creator } = await requireLiveLink(await reviewLinks.get(sha256(secret)), deps);
  return { ...creator, jobId: link.job_id };
}
