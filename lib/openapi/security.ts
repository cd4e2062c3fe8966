import {
  consoleRequestHeader,
  labKeyHeader,
  linkTokenHeaders,
  managementKeyHeaders,
  portalSessionHeader,
  reviewLinkHeader,
  teamKeyHeaders,
} from "../contract/compatibility.ts";
import type { Auth, EndpointContract } from "../contract/endpoint.ts";
import { requiredKeyScope } from "../contract/required-key-scope.ts";
import type { OpenApiObject } from "./component-schema.ts";

const acceptedCredentials: Readonly<Record<Auth, readonly string[]>> = {
  team: ["team_key", "access_token"],
  console: ["console_session"],
  lab: ["lab_key"],
  management: ["management_key"],
  portal: ["portal_session"],
  review: ["review_link"],
  link: ["link_token"],
  session: ["session"],
  none: [],
};

const scopeNote = "A credential that was created with scopes needs the scope that the operation names.";
const apiKey = (name: string, description: string) => ({ type: "apiKey", in: "header", name, description });
const bearer = (description: string) => ({ type: "http", scheme: "bearer", description });

/** The credentials of all operations: who holds each, and where to send it. */
export const securitySchemes: Readonly<Record<string, OpenApiObject>> = {
  team_key: apiKey(
    teamKeyHeaders[0],
    `The API key of a team, for backends only: it reads and writes the data of every user of the team. ${scopeNote}`,
  ),
  access_token: bearer(`A token that \`POST /v2/oauth/token\` issues to a service of the team. ${scopeNote}`),
  console_session: {
    type: "apiKey",
    in: "cookie",
    name: "tributary_console",
    description: `The cookie of a person who is signed in to the console. It is a credential only with the header \`${consoleRequestHeader}: 1\`, and its name begins with \`__Host-\` over HTTPS.`,
  },
  lab_key: apiKey(labKeyHeader, "The API key of a laboratory, which sends results to one team."),
  management_key: apiKey(
    managementKeyHeaders[0],
    "A management key of an organisation or a team. It changes teams, keys and settings, and reads no health data.",
  ),
  portal_session: apiKey(portalSessionHeader, "A session of the webhook portal, from the address that a team opens."),
  review_link: apiKey(reviewLinkHeader, "The secret of a link to review one lab report."),
  link_token: apiKey(
    linkTokenHeaders[0],
    "A link token. A backend creates it for one user, and the user's browser or app connects providers with it.",
  ),
  session: bearer("The access token of a phone. The phone gets it for a sign-in token of its user."),
};

/** Returns the accepted credentials of an operation, with the required scope. */
export function toSecurity(contract: EndpointContract): readonly OpenApiObject[] {
  const scope = requiredKeyScope(contract);
  return acceptedCredentials[contract.auth].map((scheme) => ({ [scheme]: scope === undefined ? [] : [scope] }));
}
