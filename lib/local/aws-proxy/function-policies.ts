import * as z from "zod";
import type { ResolvedAssembly, ResolvedResource } from "../template/read-assembly.ts";
import { parsePolicy, type Statement } from "./policy.ts";

const role = z.object({
  Policies: z.array(z.object({ PolicyDocument: z.unknown() })).default([]),
  ManagedPolicyArns: z.array(z.string()).default([]),
});

const policy = z.object({ PolicyDocument: z.unknown(), Roles: z.array(z.string()).default([]) });

/** Policies managed by AWS. None grants an action on a service of the local cloud, so they add no statement. */
const AWS_MANAGED_PREFIX = "arn:aws:iam::aws:policy/";

/**
 * Reads the IAM statements of each function, by physical function name: those of the inline, managed and attached
 * policies of its role.
 * @throws Error when the templates lack the role of a function or a managed policy of a role.
 */
export function readFunctionPolicies(assembly: ResolvedAssembly): Map<string, Statement[]> {
  const policies = readPolicies(assembly);
  const roles = ofType(assembly, "AWS::IAM::Role");
  const statements = new Map(roles.map((resource) => [resource.arn, readRoleStatements(resource, policies)]));
  return new Map(
    ofType(assembly, "AWS::Lambda::Function").map((resource) => {
      const found = statements.get(z.string().parse(resource.properties.Role));
      if (!found) throw new Error(`${resource.stack}/${resource.logicalId}: its role is not in the templates`);
      return [resource.name, found];
    }),
  );
}

interface PolicyDocument {
  readonly PolicyDocument: unknown;
}

/** The policies of the templates that are resources of their own. Each is read once, because each role looks for its own. */
interface Policies {
  readonly managed: ReadonlyMap<string, PolicyDocument>;
  readonly byRole: ReadonlyMap<string, readonly PolicyDocument[]>;
}

function readPolicies(assembly: ResolvedAssembly): Policies {
  const managed = new Map<string, PolicyDocument>();
  const byRole = new Map<string, PolicyDocument[]>();
  for (const type of ["AWS::IAM::ManagedPolicy", "AWS::IAM::Policy"])
    for (const { ref, properties } of ofType(assembly, type)) {
      const read = policy.parse(properties);
      if (type === "AWS::IAM::ManagedPolicy" && ref !== undefined) managed.set(ref, read);
      for (const name of read.Roles) byRole.set(name, [...(byRole.get(name) ?? []), read]);
    }
  return { managed, byRole };
}

/**
 * Reads the policy documents of each role, by its ARN.
 * @throws Error when the templates lack a managed policy of a role.
 */
export function readRolePolicies(assembly: ResolvedAssembly): Map<string, unknown[]> {
  const policies = readPolicies(assembly);
  const roles = ofType(assembly, "AWS::IAM::Role");
  return new Map(roles.map((resource) => [resource.arn ?? "", readRoleDocuments(resource, policies)]));
}

const readRoleStatements = (resource: ResolvedResource, policies: Policies): Statement[] =>
  readRoleDocuments(resource, policies).flatMap((document) => parseRolePolicy(resource, document));

function readRoleDocuments(resource: ResolvedResource, { managed, byRole }: Policies): unknown[] {
  const { Policies, ManagedPolicyArns } = role.parse(resource.properties);
  const named = ManagedPolicyArns.filter((arn) => !arn.startsWith(AWS_MANAGED_PREFIX)).map((arn) => {
    const found = managed.get(arn);
    if (!found) throw new Error(`${resource.stack}/${resource.logicalId}: ${arn} is not in the templates`);
    return found;
  });
  const documents = [...Policies, ...new Set([...named, ...(byRole.get(resource.name) ?? [])])];
  return documents.map(({ PolicyDocument }) => PolicyDocument);
}

function parseRolePolicy(resource: ResolvedResource, document: unknown): Statement[] {
  try {
    return parsePolicy(document);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${resource.stack}/${resource.logicalId}: its policy cannot be read: ${reason}`, { cause: error });
  }
}

function ofType(assembly: ResolvedAssembly, type: string): ResolvedResource[] {
  return assembly.resources.filter((resource) => resource.type === type);
}
