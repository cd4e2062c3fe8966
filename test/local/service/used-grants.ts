import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { requiredPermissions, signerOf } from "../../../lib/local/front/authorization.ts";
import { type ArrivedRequest, CALLER_HEADER, toAwsRequest } from "../../../lib/local/front/aws-request.ts";
import { type Catalogue, catalogueOf } from "../../../lib/local/front/catalogue.ts";
import { REQUEST_CHANNEL } from "../../../lib/local/front/front.ts";
import { policiesOf } from "../../../lib/local/front/function-policies.ts";
import { matchesArn } from "../../../lib/local/front/patterns.ts";
import { conditionContext, type Permission } from "../../../lib/local/front/permission.ts";
import type { Statement } from "../../../lib/local/front/policy.ts";
import { isPresigned, openPresigned } from "../../../lib/local/front/presigned-link.ts";
import type { LocalCloud } from "../../../lib/local/local-cloud.ts";
import { STRANGER_HEADER } from "./door-watch.ts";

/** Actions that Lambda itself performs with the role of a function (logs, traces, reading of queues and streams). */
const OF_THE_PLATFORM =
  /^(logs:|xray:|sqs:(receive|delete|getqueue)|dynamodb:(describestream|get(records|sharditerator)|liststreams))/;
/** What Lambda reaches with them: the queue for what a function failed at for good, the key of an encrypted stream. */
const BY_THE_PLATFORM = /^relayEvents kms:decrypt|sqs:sendmessage .*Missed/;

/**
 * Watches what functions ask of the front, with the partition keys that they touch, which the front's own observer does
 * not tell. Grants on two kinds of item in one table differ in nothing else.
 */
export class GrantWatch {
  readonly #cloud: LocalCloud;
  readonly #catalogue: Catalogue;
  readonly #asked = new Map<string, { caller: string; permission: Permission }>();

  constructor(cloud: LocalCloud) {
    this.#cloud = cloud;
    this.#catalogue = catalogueOf(cloud.assembly);
    subscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  /** Stops watching. @returns `operation action resource` of each grant of each policy that nobody used. */
  unused(): string[] {
    unsubscribe(REQUEST_CHANNEL, this.#onRequest);
    return [...policiesOf(this.#cloud.assembly)].flatMap(([caller, statements]) =>
      statements.flatMap((statement) => this.#unusedOf(caller, statement)),
    );
  }

  #unusedOf(caller: string, statement: Statement): string[] {
    const mine = [...this.#asked.values()].filter((one) => one.caller === caller).map(({ permission }) => permission);
    const unused = statement.actions.filter(
      (action) => !OF_THE_PLATFORM.test(action) && !mine.some((permission) => isCovered(permission, action, statement)),
    );
    const operation = /-(\w+)Function\w{8}$/.exec(caller)?.[1] ?? caller;
    const named = unused.map((action) => `${operation} ${action} ${statement.resources.join()}`);
    return named.filter((grant) => !BY_THE_PLATFORM.test(grant));
  }

  readonly #onRequest = (message: unknown): void => {
    const arrived = message as ArrivedRequest;
    // What a stranger is refused is no use that anybody has of a grant.
    if (arrived.headers[STRANGER_HEADER]) return;
    const caller = arrived.headers[CALLER_HEADER];
    if (typeof caller === "string") this.#note(arrived, caller);
    if (arrived.path.includes("X-Amz-Signature=")) this.#note(arrived);
  };

  /** @param named absent for a signed link, which is a use of its signer's permission. */
  #note(arrived: ArrivedRequest, named?: string): void {
    const received = toAwsRequest(arrived);
    const asked = isPresigned(received) ? openPresigned(received, this.#cloud.clock.now()) : received;
    const permissions = requiredPermissions(asked, this.#catalogue);
    const caller = named ?? signerOf(policiesOf(this.#cloud.assembly), permissions) ?? "";
    for (const permission of permissions) {
      this.#asked.set(JSON.stringify([caller, permission]), { caller, permission });
    }
  }
}

function isCovered(permission: Permission, granted: string, statement: Statement): boolean {
  const context = conditionContext(permission);
  return (
    permission.action.toLowerCase() === granted &&
    statement.resources.some((pattern) => matchesArn(pattern, permission.resource)) &&
    statement.conditions.every((holds) => holds(context))
  );
}
