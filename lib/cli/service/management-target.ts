import * as z from "zod";
import { environments } from "../../domain/management/records.ts";
import { CommandFailed } from "../frame/command-failed.ts";
import { readVariable } from "../frame/read-variable.ts";
import { address, option } from "../frame/values.ts";
import { readLocalFile } from "./local-file.ts";

const given = z.string().optional();

/** Options of commands that call the management API about a team. */
export const managementOptions = {
  managementUrl: option(
    "<address>",
    "address of the management API; the local service's by default",
    address.optional(),
  ),
  managementKey: option("<key>", "management key; TRIBUTARY_MANAGEMENT_KEY or the local service's by default", given),
  org: option("<id>", "id of the organization; the local service's by default", given),
  team: option("<id>", "id of the team; the local service's by default", given),
  env: option("<environment>", "environment of the team", z.enum(environments).default("sandbox")),
};

type Options = {
  readonly [Name in keyof typeof managementOptions]: z.output<(typeof managementOptions)[Name]["schema"]>;
};

/** The management API, and the path of the team's resources in one environment. */
export interface ManagementTarget {
  readonly baseUrl: string;
  readonly managementKey: string;
  readonly teamPath: string;
}

/** The management API of the options, else that of `npm start`. @throws CommandFailed with what is missing. */
export function resolveManagement({ managementUrl, managementKey, org, team, env }: Options): ManagementTarget {
  const local = readLocalFile();
  const parts = {
    "--management-url": managementUrl ?? local?.management_url,
    "--management-key": managementKey ?? readVariable("TRIBUTARY_MANAGEMENT_KEY") ?? local?.management_key,
    "--org": org ?? local?.org_id,
    "--team": team ?? local?.team_id,
  };
  const missing = Object.entries(parts).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0)
    throw new CommandFailed(`No local service is running: run npm start, or set ${missing.join(", ")}.`);
  const [baseUrl = "", key = "", orgId = "", teamId = ""] = Object.values(parts);
  const teamPath = `/v1/org/${encodeURIComponent(orgId)}/team/${encodeURIComponent(teamId)}/${env}`;
  return { baseUrl, managementKey: key, teamPath };
}
