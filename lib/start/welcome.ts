import type { LocalIdentity } from "./identity-file.ts";

/** Content of the message that npm start prints when the service runs. */
export interface Welcome {
  readonly baseUrl: string;
  readonly managementUrl: string;
  readonly identity: LocalIdentity;
  /** Link to the console, signed in. It works once and for ten minutes. */
  readonly consoleUrl: string;
  readonly dataDirectory: string;
  /** Steps of the start with their durations in milliseconds. */
  readonly steps: readonly (readonly [string, number])[];
}

/** Formats the message of npm start: URLs, keys, first requests to copy, and pages to open. */
export function formatWelcome(welcome: Welcome): string {
  const { baseUrl, managementUrl, identity, consoleUrl, dataDirectory, steps } = welcome;
  const took = steps.map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`).join(", ");
  const today = new Date().toISOString().slice(0, 10);
  return `
Tributary is running (${took})

  API             ${baseUrl}
  Management      ${managementUrl}
  API key         ${identity.api_key}
  Management key  ${identity.management_key}
  Organization    ${identity.org_id}
  Team            ${identity.team_id}
  Demo user       ${identity.demo_user_id}${identity.is_seeded ? "" : "   (90 days of data follow within seconds)"}

Create a user, send data, read it back:

  export KEY=${identity.api_key}
  USER_ID=$(curl -s ${baseUrl}/v2/user -H "x-service-api-key: $KEY" -d '{"client_user_id":"ada-1"}' | grep -o '"user_id":"[^"]*"' | head -1 | cut -d'"' -f4)
  curl -s ${baseUrl}/v2/ingest/$USER_ID -H "x-service-api-key: $KEY" -d '{"provider":"apple_health_kit","source_type":"watch","resources":{"heartrate":[{"timestamp":"${today}T08:00:00Z","value":61}]}}'
  curl -s -X POST ${baseUrl}/_local/settle   # waits until the sample is stored and its event is delivered
  curl -s "${baseUrl}/v2/timeseries/$USER_ID/heartrate/grouped?start_date=${today}" -H "x-service-api-key: $KEY"

Connect the demo user to a simulated provider: open the link_web_url of this response

  curl -s ${baseUrl}/v2/link/token -H "x-service-api-key: $KEY" -d '{"user_id":"${identity.demo_user_id}"}'

  Console             ${consoleUrl}
                      (signed in, once and within ten minutes; later, sign in at ${baseUrl}/console with the API key)
  Webhook inbox       ${baseUrl}/_local/inbox/page
  API reference       ${baseUrl}/docs
  OpenAPI document    ${baseUrl}/openapi.json
  Running resources   ${baseUrl}/_local/resources
  Data and logs       ${dataDirectory}

Stop with Ctrl+C.
`;
}
