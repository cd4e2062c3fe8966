import * as z from "zod";
import { AwsError } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import { dynamodbPermissions } from "./dynamodb-permissions.ts";
import { type Permission, toConditionContext } from "./permission.ts";
import { isAllowed, type Statement } from "./policy.ts";
import type { ResourceIndex } from "./resource-index.ts";
import { s3Permissions } from "./s3-permissions.ts";

const queueRequest = z.object({ QueueUrl: z.string() });
const putEventsRequest = z.object({ Entries: z.array(z.object({ EventBusName: z.string().default("default") })) });
const keyRequest = z.object({ KeyId: z.string(), EncryptionContext: z.record(z.string(), z.string()).default({}) });
const secretRequest = z.object({ SecretId: z.string() });
const roleRequest = z.object({ RoleArn: z.string() });
const stateMachineRequest = z.union([
  z.object({ stateMachineArn: z.string() }).transform(({ stateMachineArn }) => stateMachineArn),
  z.object({ executionArn: z.string() }).transform(({ executionArn }) => executionArn),
]);

/**
 * Lists all permissions that IAM checks for a request (Service authorization reference). The request needs all of them.
 * @throws AwsError when the request is malformed or its permissions are not modelled.
 */
export function requiredPermissions(request: AwsRequest, catalogue: ResourceIndex): Permission[] {
  try {
    return permissionsByService[request.service](request, catalogue);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new AwsError(400, "ValidationException", z.prettifyError(error), { cause: error });
  }
}

const permissionsByService: Readonly<
  Record<AwsRequest["service"], (request: AwsRequest, catalogue: ResourceIndex) => Permission[]>
> = {
  dynamodb: ({ operation, body }, catalogue) => dynamodbPermissions(operation, body, catalogue),
  s3: s3Permissions,
  sqs: ({ operation, body }, { region, account }) => {
    const name = queueRequest.parse(body).QueueUrl.replace(/^.*\//, "");
    // A batch needs the permission of its single operation.
    const action = `sqs:${operation.replace(/Batch$/, "")}`;
    return [{ action, resource: `arn:aws:sqs:${region}:${account}:${name}` }];
  },
  events: ({ operation, body }, { region, account }) => {
    const buses = new Set(putEventsRequest.parse(body).Entries.map((entry) => entry.EventBusName.replace(/^.*\//, "")));
    const arn = (bus: string) => `arn:aws:events:${region}:${account}:event-bus/${bus}`;
    return [...buses].map((bus) => ({ action: `events:${operation}`, resource: arn(bus) }));
  },
  states: ({ operation, body }) => [{ action: `states:${operation}`, resource: stateMachineRequest.parse(body) }],
  kms: ({ operation, body }, { keyArns }) => {
    const { KeyId, EncryptionContext: encryptionContext } = keyRequest.parse(body);
    const resource = keyArns.get(KeyId);
    if (resource === undefined) throw new AwsError(400, "NotFoundException", `the key ${KeyId} does not exist`);
    return [{ action: `kms:${operation}`, resource, encryptionContext }];
  },
  secretsmanager: ({ operation, body }, { secretArns }) => {
    const { SecretId } = secretRequest.parse(body);
    return [{ action: `secretsmanager:${operation}`, resource: secretArns.get(SecretId) ?? SecretId }];
  },
  sts: ({ operation, body }) => {
    const resource = roleRequest.parse(body).RoleArn;
    const isTagged = Object.keys(body).some((name) => name.startsWith("Tags."));
    const actions = [`sts:${operation}`, ...(isTagged ? ["sts:TagSession"] : [])];
    return actions.map((action) => ({ action, resource }));
  },
};

/**
 * Checks the permissions of a request against the caller's policies.
 * @throws AwsError AccessDeniedException (S3 and STS: AccessDenied, 403) for the first missing permission.
 */
export function authorize(caller: string, statements: readonly Statement[], required: readonly Permission[]): void {
  const missing = required.find((permission) => !isPermitted(statements, permission));
  if (missing) throw accessDenied(caller, missing.action, missing.resource);
}

/** Guesses the signer of a presigned URL, which does not name it: the first function that has all permissions. */
export function findSigner(
  policies: ReadonlyMap<string, readonly Statement[]>,
  required: readonly Permission[],
): string | undefined {
  const mayAll = (statements: readonly Statement[]) =>
    required.every((permission) => isPermitted(statements, permission));
  return [...policies].find(([, statements]) => mayAll(statements))?.[0];
}

/** Whether policies grant a permission. */
export function isPermitted(statements: readonly Statement[], permission: Permission): boolean {
  const { action, resource } = permission;
  return isAllowed(statements, { action, resources: [resource], context: toConditionContext(permission) });
}

function accessDenied(caller: string, action: string, resource: string): AwsError {
  const message = `User: ${caller} is not authorized to perform: ${action} on resource: ${resource}`;
  return /^(s3|sts):/.test(action)
    ? new AwsError(403, "AccessDenied", message)
    : new AwsError(400, "AccessDeniedException", message);
}
