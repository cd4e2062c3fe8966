import type { Resource } from "../../../lib/local/template/assembly.ts";
import { limits } from "./aws-limits.ts";
import { beyond } from "./measures.ts";
import { subjectsOf } from "./subjects.ts";

/** A resource of a fabricated service, by its logical id. */
export type Fabricated = Readonly<Record<string, readonly [type: string, properties?: Resource["properties"]]>>;

/** The name of a fabricated resource, as CloudFormation creates it, without its suffix. */
export const nameOf = (logicalId: string) => `Planted-${logicalId}`;
/** The ARN and the reference of a fabricated resource. */
export const arnOf = (logicalId: string) => `arn:aws:any:us-east-1:111122223333:${nameOf(logicalId)}`;

/** The limits that a fabricated service of one stack exceeds. */
export function placesBeyond(fabricated: Fabricated, template: object = {}): string[] {
  const resources = Object.entries(fabricated).map(([logicalId, [type, properties = {}]]) => ({
    stack: "Planted",
    logicalId,
    type,
    name: nameOf(logicalId),
    ref: arnOf(logicalId),
    arn: arnOf(logicalId),
    properties,
  }));
  const templates = [{ name: "Planted", text: JSON.stringify({ Resources: {}, ...template }) }];
  const subjects = subjectsOf({ assembly: { account: "111122223333", resources }, templates });
  return limits.flatMap((limit) => (beyond(limit, subjects).length > 0 ? [`${limit.of} ${limit.at}`] : []));
}
