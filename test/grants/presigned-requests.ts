import type { AwsResponse } from "../../lib/local/aws-proxy/aws-error.ts";
import type { IncomingRequest } from "../../lib/local/aws-proxy/aws-request.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import type { GrantRemoval } from "./grant-drill.ts";
import { coversPermission, type PolicyGrant, withoutGrant } from "./policy-grant.ts";
import { isPresignedRequest, type RequestedPermissions } from "./requested-permissions.ts";

/** The grant drill, as the presigned requests see it. */
export interface PresignedDrill {
  readonly pending: () => Iterable<PolicyGrant>;
  readonly report: (removal: GrantRemoval) => void;
}

/** Sends each presigned request first without the grant that it needs, and then with it. */
export class PresignedRequests {
  readonly #cloud: LocalCloud;
  readonly #watch: RequestedPermissions;
  readonly #drill: PresignedDrill;
  readonly #answer: LocalCloud["awsProxy"]["answer"];

  constructor(cloud: LocalCloud, watch: RequestedPermissions, drill: PresignedDrill) {
    this.#cloud = cloud;
    this.#watch = watch;
    this.#drill = drill;
    const { awsProxy } = cloud;
    this.#answer = awsProxy.answer.bind(awsProxy);
    awsProxy.answer = (arrived) => (isPresignedRequest(arrived) ? this.#follow(arrived) : this.#answer(arrived));
  }

  stop(): void {
    this.#cloud.awsProxy.answer = this.#answer;
  }

  async #follow(link: IncomingRequest): Promise<AwsResponse> {
    const { caller, permissions } = this.#watch.findSigner(link);
    const isMeant = (grant: PolicyGrant) =>
      grant.caller === caller && permissions.some((one) => coversPermission(grant, one));
    const grant = [...this.#drill.pending()].find(isMeant);
    if (!grant) return this.#answer(link);
    const { policies } = this.#cloud;
    const policy = policies.get(caller) ?? [];
    policies.set(caller, withoutGrant(policy, grant));
    const refused = await this.#answer(link);
    policies.set(caller, policy);
    const answered = await this.#answer(link);
    const lost = refused.status === answered.status ? [] : [`answers ${answered.status}`];
    this.#drill.report({
      grant,
      step: `${link.method} of a presigned URL`,
      lost,
      instead: `answers ${refused.status}`,
    });
    return answered;
  }
}
