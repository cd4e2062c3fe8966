import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { LinkFailed, outcomeUrl } from "../../domain/linking/link-errors.ts";
import { Answer } from "../answer.ts";
import { LinkRefused } from "../errors.ts";
import { linkOutcomeUrl } from "./link-web-url.ts";

/** The address that a browser comes from has a ticket or a code in it, which is nobody's business. */
const headers = {
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
};

/** Sends a browser on. @param cookies values of `set-cookie`. */
export const sendOn = (location: string, cookies: readonly string[] = []): Answer =>
  new Answer("", { status: 302, headers: { ...headers, location }, cookies });

/** What a person reads, on our own page, whose attempt is refused. @throws the error itself to any other client. */
export function readable(error: unknown, { headers }: Pick<APIGatewayProxyEventV2, "headers">): Answer {
  if (!(error instanceof LinkRefused) || !headers.accept?.includes("text/html")) throw error;
  const outcome = new LinkFailed("token_not_validated", "This is no attempt to connect that is under way.");
  return sendOn(outcomeUrl(linkOutcomeUrl(), outcome));
}
