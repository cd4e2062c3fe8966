import { CALLER_HEADER, type IncomingRequest, toAwsRequest } from "../../../../../lib/local/aws-proxy/aws-request.ts";
import type { LocalCloud } from "../../../../../lib/local/local-cloud.ts";
import { readFunctions } from "../../../../../lib/local/template/read-functions.ts";
import { findUuids } from "./id-locations.ts";

const TWIN_SUFFIX = "-other-tenant";
/** Header that marks requests on behalf of another tenant. */
export const OTHER_TENANT_HEADER = "x-other-tenant";
const WRITE_OPERATIONS = /^(Put|Update|Delete|BatchWrite|TransactWrite)/;

/**
 * Registers every function a second time under another name, to distinguish requests on behalf of another tenant from
 * concurrent requests of other callers. Role, code and caches are the same.
 */
export class FunctionTwins {
  readonly #cloud: LocalCloud;
  /** Receives each request of a twin. */
  onRequest: (request: IncomingRequest) => void = () => undefined;

  constructor(cloud: LocalCloud) {
    this.#cloud = cloud;
    for (const fn of readFunctions(cloud.assembly))
      cloud.host.register({ ...fn, name: fn.name + TWIN_SUFFIX, arn: fn.arn + TWIN_SUFFIX });
    const { awsProxy } = cloud;
    const answer = awsProxy.answer.bind(awsProxy);
    awsProxy.answer = (arrived) => {
      const caller = arrived.headers[CALLER_HEADER];
      if (typeof caller !== "string" || !caller.endsWith(TWIN_SUFFIX)) return answer(arrived);
      this.onRequest(arrived);
      const marks = { [CALLER_HEADER]: caller.slice(0, -TWIN_SUFFIX.length), [OTHER_TENANT_HEADER]: "1" };
      return answer({ ...arrived, headers: { ...arrived.headers, ...marks } });
    };
  }

  invoke(functionArn: string, event: unknown): Promise<unknown> {
    return this.#cloud.host.invoke(functionArn + TWIN_SUFFIX, event);
  }

  static isTwin(functionArn: string): boolean {
    return functionArn.endsWith(TWIN_SUFFIX);
  }
}

/** The other tenant behind a request, and the owners of ids. */
export interface OtherTenantRequest {
  /** Ids of the other tenant's own organisation, team and resources. */
  readonly own: readonly string[];
  /** Ids that the other tenant sent. */
  readonly sent: ReadonlySet<string>;
  /** Whether an id belongs to the observed team. */
  readonly isOthers: (uuid: string) => boolean;
}

/**
 * Returns the violation in a request that a function makes for another tenant: it names an id of the observed team that
 * the tenant did not send, or writes an item that names the observed team and not the tenant. An item that is stored
 * for the tenant under a sent id also names the tenant.
 */
export function findIsolationViolation(
  arrived: IncomingRequest,
  { own, sent, isOthers }: OtherTenantRequest,
): string | undefined {
  const { service, operation, path, body } = toAwsRequest(arrived);
  const text = `${decodeURIComponent(path)} ${arrived.raw.toString("latin1")}`;
  const leaked = findUuids(text).filter((uuid) => isOthers(uuid) && !sent.has(uuid));
  if (leaked.length > 0) return `${service} ${operation} names ${leaked}: ${text.slice(0, 300)}`;
  const isRead =
    service === "s3" ? /^(GET|HEAD)$/.test(operation) : service === "dynamodb" && !WRITE_OPERATIONS.test(operation);
  if (isRead || ["kms", "secretsmanager"].includes(service)) return undefined;
  const changed = service === "dynamodb" ? writtenItemKeys(body) : [text];
  const touched = changed.filter((one) => findUuids(one).some(isOthers) && !own.some((id) => one.includes(id)));
  return touched.length > 0 ? `${service} ${operation} changes ${touched}: ${text.slice(0, 300)}` : undefined;
}

/** Returns the keys of the items that a DynamoDB request writes; a condition check of a transaction writes nothing. */
function writtenItemKeys(body: object): string[] {
  const found: string[] = [];
  JSON.stringify(body, (name, value) => {
    if (name === "ConditionCheck") return undefined;
    if (value?.pk?.S !== undefined) found.push(`${value.pk.S} ${value.sk?.S}`);
    return value;
  });
  return found;
}
