import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { SchemaValues } from "../fuzz/schema-values.ts";
import { maskIds } from "../local/service/platform/isolation/id-locations.ts";
import type { TestService } from "../support/service.ts";
import { buildAttackRequest, type Ids, type RequestDraft, textOf } from "./attack-request.ts";

const MAX_SHOWN_FINDINGS = 50;

/** The answer to a request, without its variable parts. */
export interface MaskedAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends the requests of an attack, and records what is wrong with the answers. */
export class AttackRun {
  requests = 0;
  findingCount = 0;
  readonly findings: string[] = [];
  readonly statuses: Record<number, number> = {};
  readonly #service: TestService;
  readonly #values = new SchemaValues();
  #hidden: readonly string[] = [];

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Sets the ids that no answer may contain unless its request does. */
  hide(ids: readonly string[]): void {
    this.#hidden = ids;
  }

  build(draft: RequestDraft, ids: Ids): APIGatewayProxyEventV2 {
    return buildAttackRequest(draft, ids, this.#values);
  }

  /** Sends a draft with ids. It must cause no server error and return no id of the victim. */
  async ask(draft: RequestDraft, ids: Ids, about: string): Promise<MaskedAnswer> {
    const event = this.build(draft, ids);
    const { statusCode: status = 0, body = "" } = await this.#invoke(draft, event);
    this.requests += 1;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const sent = textOf(event);
    const leaked = this.#hidden.filter((id) => body.includes(id) && !sent.includes(id));
    if (leaked.length > 0) this.note(draft, about, `returns ${leaked}: ${body}`);
    if (status === 0 || status >= 500 || status === 429) this.note(draft, about, `returns ${status}: ${body}`);
    const echoed = Object.values(ids).reduce((text, id) => text.replaceAll(id, "id"), body);
    return { status, text: `${status} ${maskIds(echoed)}` };
  }

  note({ target, seed, index }: RequestDraft, about: string, what: string): void {
    const { contract, path } = target;
    const from = `${contract.operationId} (${contract.method} ${path}), ${about}, seed ${seed} request ${index}`;
    this.add(`${from}:\n  ${what.slice(0, 600)}`);
  }

  /** Records a finding. Only the first ones are kept. */
  add(finding: string): void {
    this.findingCount += 1;
    if (this.findings.length < MAX_SHOWN_FINDINGS) this.findings.push(finding);
  }

  async #invoke({ target }: RequestDraft, event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
    try {
      return (await this.#service.cloud.host.invoke(target.arn, event)) as APIGatewayProxyStructuredResultV2;
    } catch (error) {
      return { statusCode: 0, body: String(error) };
    }
  }
}
