import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { LinkFailed, withLinkOutcome } from "../../../domain/connections/link/link-errors.ts";
import { LinkRefused } from "../../../runtime/errors.ts";
import { Answer } from "../../../runtime/http/answer.ts";
import { linkOutcomeUrl } from "./link-web-url.ts";

/** No referrer: the URL of the redirecting page contains a ticket or a code. */
const headers = {
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
};

/** Redirects a browser. @param cookies values of `set-cookie`. */
export const redirectTo = (location: string, cookies: readonly string[] = []): Answer =>
  new Answer("", { status: 302, headers: { ...headers, location }, cookies });

/** Redirects a browser with a refused attempt to the link page, which shows the error. @throws `error` otherwise. */
export function toLinkErrorAnswer(error: unknown, { headers }: Pick<APIGatewayProxyEventV2, "headers">): Answer {
  if (!(error instanceof LinkRefused) || !headers.accept?.includes("text/html")) throw error;
  const outcome = new LinkFailed("token_not_validated", "This attempt to connect is invalid or over.");
  return redirectTo(withLinkOutcome(linkOutcomeUrl(), outcome));
}
