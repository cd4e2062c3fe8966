import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { openEnum } from "../../lib/contract/open-enum.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { linkErrorTypes } from "../../lib/domain/connections/link/link-errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readTeamLink, readTeamLinkAccess } from "../../lib/services/connections/link/team-link.ts";

/** Tells a team whether one of its link tokens can still connect a provider. */
export const contract = endpoint({
  operationId: "isTokenValid",
  method: "POST",
  path: "/v2/link/token/isValid",
  tag: "link",
  summary: "Check a link token",
  description: [
    "Tells whether a link token of the team can still connect a provider, and otherwise why not.",
    "Call it before you send a user to a link that you created earlier.",
    "",
    "- `invalid_token`: unknown, of another team, or its user, key or team is deleted or revoked",
    "- `token_consumed`: it has connected a provider",
    "- `token_expired`: it is older than an hour",
    "",
    "The check changes nothing and does not use the token.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({ token: z.string().min(1).max(1_000) }),
  response: z
    .object({
      valid: z.boolean(),
      error_type: openEnum(linkErrorTypes).nullable(),
      error: z.string().nullable(),
    })
    .meta({ id: "LinkTokenValidity" }),
  access: readTeamLinkAccess,
});

export const handler = implement(contract, async ({ scope, body }, deps) => {
  const found = await readTeamLink(scope, body.token, deps);
  return "error_type" in found ? { valid: false, ...found } : { valid: true, error_type: null, error: null };
});
