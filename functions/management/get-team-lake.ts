import { batchGetItem, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { lakeTables, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireLake } from "../../lib/domain/lake/lake-settings.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { describeLake } from "../../lib/services/lake/describe-lake.ts";

export const contract = endpoint({
  operationId: "getTeamLake",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/lake",
  tag: "management",
  summary: "Retrieve the lake of a team",
  description: [
    "Returns the tables of the team with their current metadata files, in the format Apache Iceberg.",
    "A reader opens a table by its `metadata_location`. It needs read access to the bucket in AWS.",
    "Every change of a table has a new metadata file; the former ones stay for hours, or until an erasure.",
  ],
  auth: "management",
  params: teamParams,
  query: noFields,
  response: wireLake,
  errors: [NotFound],
  access: [getItem(teams), getItem(lakeTables), batchGetItem(lakeTables)],
});

export const handler = implement(contract, async (call, { teams, lakeTables }) =>
  describeLake({ lakeTables }, await requireTeamScope(teams, call)),
);
