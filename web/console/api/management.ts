import { session } from "../app/session.ts";
import { Problem, request } from "./request.ts";

type Options = Parameters<typeof request>[1];

/** The places in paths of the management API that every session knows. */
function placesOf() {
  const present = session.get();
  if (!present) throw new Problem("Sign in first.", { status: 401 });
  const { org_id, team_id, environment, region } = present;
  return {
    org: `/console/v1/org/${org_id}`,
    team: `/console/v1/org/${org_id}/team/${team_id}`,
    teamId: team_id,
    environment,
    region,
  };
}

/** The query parameter, or field of a body, that names the team of the session. */
export const ownTeam = () => ({ team_id: placesOf().teamId });

/** Calls an operation of the team, such as `/limits`. @throws Problem for any answer other than 2xx. */
export const askTeam = <Answer>(path: string, options?: Options) => request<Answer>(placesOf().team + path, options);

/** Calls an operation of the team in the environment of the deployment, such as `/webhook`. */
export const askEnvironment = <Answer>(path: string, options?: Options) =>
  askTeam<Answer>(`/${placesOf().environment}${path}`, options);

/** Calls an operation of the organisation that names the team elsewhere, such as `/usage?team_id=…`. */
export const askOrg = <Answer>(path: string, options?: Options) => request<Answer>(placesOf().org + path, options);

/** Calls an operation on a list of the deployment, such as `team_api_keys`. */
export const askDeployment = <Answer>(list: string, query = "", options?: Options) => {
  const { environment, region } = placesOf();
  return askOrg<Answer>(`/${list}/${environment}/${region}${query}`, options);
};
