import * as z from "zod";
import { AwsError } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import type { Catalogue } from "./catalogue.ts";
import { dynamodbPermissions } from "./dynamodb-permissions.ts";
import { conditionContext, type Permission } from "./permission.ts";
import { isAllowed, type Statement } from "./policy.ts";
import { s3Permissions } from "./s3-permissions.ts";

const queueCall = z.object({ QueueUrl: z.string() });
const putEvents = z.object({ Entries: z.array(z.object({ EventBusName: z.string().default("default") })) });
const keyCall = z.object({ KeyId: z.string(), EncryptionContext: z.record(z.string(), z.string()).default({}) });
const secretCall = z.object({ SecretId: z.string() });
const stateMachineCall = z.union([
  z.object({ stateMachineArn: z.string() }).transform(({ stateMachineArn }) => stateMachineArn),
  z.object({ executionArn: z.string() }).transform(({ executionArn }) => executionArn),
]);

/**
 * Lists all permissions that IAM checks for a request (Service authorization reference). The request needs all of them.
 * @throws AwsError when the request is malformed or its permissions are not modelled.
 */
export function requiredPermissions(request: AwsRequest, catalogue: Catalogue): Permission[] {
  try {
    return permissionsByService[request.service](request, catalogue);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new AwsError(400, "ValidationException", z.prettifyError(error), { cause: error });
  }
}

const permissionsByService: Readonly<
  Record<AwsRequest["service"], (request: AwsRequest, catalogue: Catalogue) => Permission[]>
> = {
  dynamodb: ({ operation, body }, catalogue) => dynamodbPermissions(operation, body, catalogue),
  s3: s3Permissions,
  sqs: ({ operation, body }, { region, account }) => {
    const name = queueCall.parse(body).QueueUrl.replace(/^.*\//, "");
    // A batch needs the permission of its single operation.
    const action = `sqs:${operation.replace(/Batch$/, "")}`;
    return [{ action, resource: `arn:aws:sqs:${region}:${account}:${name}` }];
  },
  events: ({ operation, body }, { region, account }) => {
    const buses = new Set(putEvents.parse(body).Entries.map((entry) => entry.EventBusName.replace(/^.*\//, "")));
    const arn = (bus: string) => `arn:aws:events:${region}:${account}:event-bus/${bus}`;
    return [...buses].map((bus) => ({ action: `events:${operation}`, resource: arn(bus) }));
  },
  states: ({ operation, body }) => [{ action: `states:${operation}`, resource: stateMachineCall.parse(body) }],
  kms: ({ operation, body }, { keyArns }) => {
    const { KeyId, EncryptionContext: encryptionContext } = keyCall.parse(body);
    const resource = keyArns.get(KeyId);
    if (resource === undefined) throw new AwsError(400, "NotFoundException", `the key ${KeyId} does not exist`);
    return [{ action: `kms:${operation}`, resource, encryptionContext }];
  },
  secretsmanager: ({ operation, body }, { secretArns }) => {
    const { SecretId } = secretCall.parse(body);
    return [{ action: `secretsmanager:${operation}`, resource: secretArns.get(SecretId) ?? SecretId }];
  },
};

/**
 * Checks the permissions of a request against the caller's policies.
 * @throws AwsError AccessDeniedException (S3: AccessDenied, 403) for the first missing permission.
 */
export function authorize(caller: string, statements: readonly Statement[], required: readonly Permission[]): void {
  const missing = required.find((permission) => !permits(statements, permission));
  if (missing) throw denied(caller, missing.action, missing.resource);
}

/** Guesses the signer of a presigned URL, which does not name it: the first function that has all permissions. */
export function signerOf(
  policies: ReadonlyMap<string, readonly Statement[]>,
  required: readonly Permission[],
): string | undefined {
  const mayAll = (statements: readonly Statement[]) => required.every((permission) => permits(statements, permission));
  return [...policies].find(([, statements]) => mayAll(statements))?.[0];
}

/** Whether policies grant a permission. */
export function permits(statements: readonly Statement[], permission: Permission): boolean {
  const { action, resource } = permission;
  return isAllowed(statements, { action, resources: [resource], context: conditionContext(permission) });
}

function denied(caller: string, action: string, resource: string): AwsError {
  const message = `User: ${caller} is not authorized to perform: ${action} on resource: ${resource}`;
  return action.startsWith("s3:")
    ? new AwsError(403, "AccessDenied", message)
    : new AwsError(400, "AccessDeniedException", message);
}
