import type { ResolvedResource } from "../../../lib/local/template/read-assembly.ts";
import { awsLimits } from "./aws-limits.ts";
import { findExceeded } from "./limit-findings.ts";
import { listLimitSubjects } from "./limit-subjects.ts";

/** A resource of a fabricated service, by its logical id. */
export type FabricatedResources = Readonly<
  Record<string, readonly [type: string, properties?: ResolvedResource["properties"]]>
>;

/** The name of a fabricated resource, as CloudFormation creates it, without its suffix. */
export const fabricatedName = (logicalId: string) => `Planted-${logicalId}`;
/** The ARN and the reference of a fabricated resource. */
export const fabricatedArn = (logicalId: string) => `arn:aws:any:us-east-1:111122223333:${fabricatedName(logicalId)}`;

/** The limits that a fabricated service of one stack exceeds. */
export function exceededLimits(fabricated: FabricatedResources, template: object = {}): string[] {
  const resources = Object.entries(fabricated).map(([logicalId, [type, properties = {}]]) => ({
    stack: "Planted",
    logicalId,
    type,
    name: fabricatedName(logicalId),
    ref: fabricatedArn(logicalId),
    arn: fabricatedArn(logicalId),
    properties,
  }));
  const templates = [{ name: "Planted", text: JSON.stringify({ Resources: {}, ...template }) }];
  const subjects = listLimitSubjects({ assembly: { account: "111122223333", resources }, templates });
  return awsLimits.flatMap((limit) =>
    findExceeded(limit, subjects).length > 0 ? [`${limit.type} ${limit.path}`] : [],
  );
}
