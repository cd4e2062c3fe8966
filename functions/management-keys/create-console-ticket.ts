import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consoleTickets, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { generateToken } from "../../lib/crypto/opaque-token.ts";
import { consoleRole, DEFAULT_IDLE_MINUTES, idleMinutes } from "../../lib/domain/console/console-session.ts";
import { CONSOLE_TICKET_TTL_MS } from "../../lib/domain/console/console-ticket.ts";
import { consoleName } from "../../lib/domain/console/wire-console-session.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "createConsoleTicket",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/console_ticket",
  tag: "management-keys",
  summary: "Create a ticket for the console of a team",
  description: [
    "Creates a link that signs one person in to the console of a team, with a role and a name of your choice.",
    "Call it after your own sign-in of the person, for example by OpenID Connect, and send the browser to `url`.",
    "The ticket works once and for ten minutes. The session lasts eight hours at most, and ends with the management key.",
    "It ends earlier if the person does nothing for `idle_minutes`.",
    "The access log shows `name` beside everything that the person looks at.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  body: z.object({
    role: consoleRole,
    name: consoleName.describe("The person who signs in"),
    idle_minutes: idleMinutes
      .default(DEFAULT_IDLE_MINUTES)
      .describe("Minutes after which the session ends if the person does nothing"),
  }),
  response: z.object({ ticket: z.string(), url: z.url(), expires_at: z.string() }).meta({ id: "ConsoleTicket" }),
  status: 201,
  errors: [NotFound],
  access: [getItem(teams), putItem(consoleTickets)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, consoleTickets }) => {
  const { team_id } = await requireTeam(teams, key, params.org_id, params.team_id);
  const { token, sha256 } = generateToken("ct", ports().ids.bytes);
  const ends_at = new Date(ports().clock.now() + CONSOLE_TICKET_TTL_MS).toISOString();
  const issuedBy = { key_id: key.key_id, made_at: isoNow() };
  await consoleTickets.create(sha256, { team_id, ...issuedBy, ...body, ends_at });
  return { ticket: token, url: `${baseUrl()}/console?ticket=${token}`, expires_at: ends_at };
});
