import type { ServiceClient } from "./seed-data.ts";

/** The person that the access log names for looks through the link of `npm start`. */
const LOCAL_PERSON = "Developer of this machine";

/** The only person at this machine needs no sign-out during a break. */
const WORKING_DAY_MINUTES = 480;

/** Creates a link to the console of the first team, signed in as admin. It works once and for ten minutes. */
export async function createConsoleLink({ managementUrl, identity }: ServiceClient): Promise<string> {
  const { org_id, team_id, management_key } = identity;
  const response = await fetch(`${managementUrl}/v1/org/${org_id}/team/${team_id}/console_ticket`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-management-key": management_key },
    body: JSON.stringify({ role: "admin", name: LOCAL_PERSON, idle_minutes: WORKING_DAY_MINUTES }),
  });
  if (!response.ok) throw new Error(`no ticket for the console: ${response.status}`);
  return String(((await response.json()) as { readonly url: string }).url);
}
