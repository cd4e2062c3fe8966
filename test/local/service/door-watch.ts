import { type ArrivedRequest, CALLER_HEADER, toAwsRequest } from "../../../lib/local/front/aws-request.ts";
import type { LocalCloud } from "../../../lib/local/local-cloud.ts";
import { functionsOf } from "../../../lib/local/template/wiring.ts";
import { uuidsIn } from "./id-places.ts";

const TWIN = "-of-a-stranger";
/** Tells whoever watches the door that a stranger is behind a request. */
export const STRANGER_HEADER = "x-for-a-stranger";
const WRITES = /^(Put|Update|Delete|BatchWrite|TransactWrite)/;

/**
 * Every function a second time under a name of its own, so that what it asks of stores and queues on behalf of a stranger
 * is known from what it asks at the same time for others. Its role, its code and what it remembers are the same.
 */
export class Twins {
  readonly #cloud: LocalCloud;
  /** Gets each request that a twin makes. */
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

/** Who asks, and what does not belong to whom. */
export interface Asker {
  /** Ids of the stranger's own organisation, team and things. */
  readonly own: readonly string[];
  /** Ids that the stranger has sent. */
  readonly sent: ReadonlySet<string>;
  /** Whether an id belongs to others. */
  readonly isOthers: (uuid: string) => boolean;
}

/**
 * What is wrong with a request that a function makes on behalf of a stranger, if anything: it names what belongs to others
 * and was not in the stranger's own request, or changes something of others whatever was sent. What is kept for the
 * stranger under an id that was sent names the stranger, too.
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

/** The keys of the items that a request of DynamoDB changes; a condition of a transaction changes nothing. */
function itemsWritten(body: object): string[] {
  const found: string[] = [];
  JSON.stringify(body, (name, value) => {
    if (name === "ConditionCheck") return undefined;
    if (value?.pk?.S !== undefined) found.push(`${value.pk.S} ${value.sk?.S}`);
    return value;
  });
  return found;
}
