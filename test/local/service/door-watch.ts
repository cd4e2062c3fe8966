import { type ArrivedRequest, CALLER_HEADER, toAwsRequest } from "../../../lib/local/front/aws-request.ts";
import type { LocalCloud } from "../../../lib/local/local-cloud.ts";
import { functionsOf } from "../../../lib/local/template/wiring.ts";
import { uuidsIn } from "./id-places.ts";

const TWIN = "-other-tenant";
/** Header that marks requests on behalf of another tenant. */
export const STRANGER_HEADER = "x-other-tenant";
const WRITES = /^(Put|Update|Delete|BatchWrite|TransactWrite)/;

/**
 * Registers every function a second time under another name, so that requests on behalf of another tenant are told from
 * concurrent requests of other callers. Role, code and caches are the same.
 */
export class Twins {
  readonly #cloud: LocalCloud;
  /** Receives each request of a twin. */
  onRequest: (request: ArrivedRequest) => void = () => undefined;

  constructor(cloud: LocalCloud) {
    this.#cloud = cloud;
    for (const fn of functionsOf(cloud.assembly))
      cloud.host.register({ ...fn, name: fn.name + TWIN, arn: fn.arn + TWIN });
    const { front } = cloud;
    const answer = front.answer.bind(front);
    front.answer = (arrived) => {
      const caller = arrived.headers[CALLER_HEADER];
      if (typeof caller !== "string" || !caller.endsWith(TWIN)) return answer(arrived);
      this.onRequest(arrived);
      const marks = { [CALLER_HEADER]: caller.slice(0, -TWIN.length), [STRANGER_HEADER]: "1" };
      return answer({ ...arrived, headers: { ...arrived.headers, ...marks } });
    };
  }

  invoke(functionArn: string, event: unknown): Promise<unknown> {
    return this.#cloud.host.invoke(functionArn + TWIN, event);
  }

  static isOne(functionArn: string): boolean {
    return functionArn.endsWith(TWIN);
  }
}

/** The other tenant behind a request, and the owners of ids. */
export interface Asker {
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
export function trespassOf(arrived: ArrivedRequest, { own, sent, isOthers }: Asker): string | undefined {
  const { service, operation, path, body } = toAwsRequest(arrived);
  const text = `${decodeURIComponent(path)} ${arrived.raw.toString("latin1")}`;
  const told = uuidsIn(text).filter((uuid) => isOthers(uuid) && !sent.has(uuid));
  if (told.length > 0) return `${service} ${operation} names ${told}: ${text.slice(0, 300)}`;
  const isRead = service === "s3" ? /^(GET|HEAD)$/.test(operation) : service === "dynamodb" && !WRITES.test(operation);
  if (isRead || ["kms", "secretsmanager"].includes(service)) return undefined;
  const changed = service === "dynamodb" ? itemsWritten(body) : [text];
  const touched = changed.filter((one) => uuidsIn(one).some(isOthers) && !own.some((id) => one.includes(id)));
  return touched.length > 0 ? `${service} ${operation} changes ${touched}: ${text.slice(0, 300)}` : undefined;
}

/** Returns the keys of the items that a DynamoDB request writes; a condition check of a transaction writes nothing. */
function itemsWritten(body: object): string[] {
  const found: string[] = [];
  JSON.stringify(body, (name, value) => {
    if (name === "ConditionCheck") return undefined;
    if (value?.pk?.S !== undefined) found.push(`${value.pk.S} ${value.sk?.S}`);
    return value;
  });
  return found;
}
