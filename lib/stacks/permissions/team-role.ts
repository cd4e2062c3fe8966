import * as iam from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Grant } from "../../contract/access.ts";
import { teamKeyPatterns } from "../../contract/team/team-keys.ts";
import { TEAM_TAG } from "../../contract/team/team-role.ts";
import type { DeploymentResources } from "../deployment-resources.ts";
import { ANY_UUID, leadingKeys, permissionsFor } from "../policy-statements.ts";
import { ManagedPolicies } from "./managed-policies.ts";

interface TeamRoleProps {
  /** The role of the function, the only one that may assume this role. */
  readonly assumedBy: iam.Role;
  /** Grants on items that the function uses for the team of its caller. */
  readonly grants: readonly Grant[];
  readonly world: DeploymentResources;
}

/**
 * The role that a function assumes for the team of its caller. The session carries the team's id as a tag, and the
 * policies allow only partition keys with that id. A session without the tag cannot exist.
 */
export class TeamRole extends Construct {
  readonly role: iam.Role;
  readonly policies: ManagedPolicies;

  constructor(scope: Construct, { assumedBy, grants, world }: TeamRoleProps) {
    super(scope, "Team");
    const caller = new iam.SessionTagsPrincipal(new iam.ArnPrincipal(assumedBy.roleArn));
    this.role = new iam.Role(this, "Role", {
      assumedBy: caller.withConditions({ StringLike: { [`aws:RequestTag/${TEAM_TAG}`]: ANY_UUID } }),
    });
    this.policies = new ManagedPolicies(this, this.role);
    this.policies.add(permissionsFor(grants, world, keysOfTeam));
  }
}

const keysOfTeam = (grant: Grant): readonly string[] =>
  teamKeyPatterns(grant, `\${aws:PrincipalTag/${TEAM_TAG}}`) ?? leadingKeys(grant);
