import * as z from "zod";
import { putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { portalSessions } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import { PORTAL_SESSION_TTL_MS } from "../../lib/domain/webhooks/portal-session.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "getSvixUrl",
  method: "GET",
  path: "/v2/team/svix/url",
  tag: "portal",
  summary: "Create a link to the webhook portal",
  description: [
    "Creates a link to the page on which your team sees and repairs the delivery of its webhooks.",
    "The link is valid for an hour, and no longer than the API key or the console session of this call.",
    "The page lists endpoints, messages and attempts, resends messages and sends test events.",
    "Its secret is behind the `#` of the address, which browsers do not send to a server.",
    "To create or change endpoints, use the management API.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  response: z.object({ url: z.url(), expires_at: z.string() }).meta({ id: "PortalLink" }),
  access: [putItem(portalSessions)],
});

export const handler = implement(contract, async ({ scope, keyId, consoleSession }, { portalSessions }) => {
  const secret = `ps_${ports().ids.bytes(32).toString("base64url")}`;
  const expires_at = Math.floor((ports().clock.now() + PORTAL_SESSION_TTL_MS) / 1000);
  const issuedBy = { key_id: keyId, made_at: isoNow(), console_session_id: consoleSession?.session_id };
  await portalSessions.create(sha256(secret), { team_id: scope.teamId, ...issuedBy, expires_at });
  return {
    url: `${baseUrl()}/v2/portal/portal.html#${secret}`,
    expires_at: new Date(expires_at * 1000).toISOString(),
  };
});
