import type { Answer } from "../../lib/local/front/aws-error.ts";
import type { ArrivedRequest } from "../../lib/local/front/aws-request.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import { type AskedPermissions, isLink } from "./asked-permissions.ts";
import { covers, type Grant, without } from "./grant.ts";
import type { Removal } from "./grant-drill.ts";

/** The grant drill, as the presigned requests see it. */
export interface LinkDrill {
  readonly pending: () => Iterable<Grant>;
  readonly tell: (removal: Removal) => void;
}

/** Sends each presigned request first without the grant that it needs, and then with it. */
export class SignedLinks {
  readonly #cloud: LocalCloud;
  readonly #watch: AskedPermissions;
  readonly #drill: LinkDrill;
  readonly #answer: LocalCloud["front"]["answer"];

  constructor(cloud: LocalCloud, watch: AskedPermissions, drill: LinkDrill) {
    this.#cloud = cloud;
    this.#watch = watch;
    this.#drill = drill;
    const { front } = cloud;
    this.#answer = front.answer.bind(front);
    front.answer = (arrived) => (isLink(arrived) ? this.#follow(arrived) : this.#answer(arrived));
  }

  end(): void {
    this.#cloud.front.answer = this.#answer;
  }

  async #follow(link: ArrivedRequest): Promise<Answer> {
    const { caller, permissions } = this.#watch.signedBy(link);
    const isMeant = (grant: Grant) => grant.caller === caller && permissions.some((one) => covers(grant, one));
    const grant = [...this.#drill.pending()].find(isMeant);
    if (!grant) return this.#answer(link);
    const { policies } = this.#cloud;
    const policy = policies.get(caller) ?? [];
    policies.set(caller, without(policy, grant));
    const refused = await this.#answer(link);
    policies.set(caller, policy);
    const answered = await this.#answer(link);
    const lost = refused.status === answered.status ? [] : [`answers ${answered.status}`];
    this.#drill.tell({ grant, step: `${link.method} of a presigned URL`, lost, instead: `answers ${refused.status}` });
    return answered;
  }
}
