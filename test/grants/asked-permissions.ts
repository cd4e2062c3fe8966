import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { requiredPermissions, signerOf } from "../../lib/local/front/authorization.ts";
import { type ArrivedRequest, CALLER_HEADER, toAwsRequest } from "../../lib/local/front/aws-request.ts";
import { type Catalogue, catalogueOf } from "../../lib/local/front/catalogue.ts";
import { REQUEST_CHANNEL } from "../../lib/local/front/front.ts";
import type { Permission } from "../../lib/local/front/permission.ts";
import { isPresigned, openPresigned } from "../../lib/local/front/presigned-link.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";

/** Gets each permission that a request to the front takes, and the function that asks or signed. */
export type OnAsked = (caller: string, permission: Permission, arrived: ArrivedRequest) => void;

/** Whether a request has its signature in its address. */
export const isLink = ({ path }: ArrivedRequest): boolean => path.includes("X-Amz-Signature=");

/**
 * Watches what functions ask of the front, granted or not, with the partition keys that they touch, which the front's
 * own observer does not tell. Grants on two kinds of item in one table differ in nothing else.
 */
export class AskedPermissions {
  readonly #cloud: LocalCloud;
  readonly #catalogue: Catalogue;
  readonly #onAsked: OnAsked;

  constructor(cloud: LocalCloud, onAsked: OnAsked) {
    this.#cloud = cloud;
    this.#catalogue = catalogueOf(cloud.assembly);
    this.#onAsked = onAsked;
    subscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  /** Stops watching. */
  end(): void {
    unsubscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  /** Who is taken to have signed a link, and what that takes. */
  signedBy(link: ArrivedRequest): { caller: string; permissions: readonly Permission[] } {
    const received = toAwsRequest(link);
    const asked = isPresigned(received)
      ? openPresigned(received, this.#cloud.clock.now(), this.#cloud.front.secretAccessKey)
      : received;
    const permissions = requiredPermissions(asked, this.#catalogue);
    return { caller: signerOf(this.#cloud.policies, permissions) ?? "", permissions };
  }

  readonly #onRequest = (message: unknown): void => {
    const arrived = message as ArrivedRequest;
    const named = arrived.headers[CALLER_HEADER];
    if (typeof named === "string")
      this.#tell(named, requiredPermissions(toAwsRequest(arrived), this.#catalogue), arrived);
    else if (isLink(arrived)) {
      const { caller, permissions } = this.signedBy(arrived);
      this.#tell(caller, permissions, arrived);
    }
  };

  #tell(caller: string, permissions: readonly Permission[], arrived: ArrivedRequest): void {
    for (const permission of permissions) this.#onAsked(caller, permission, arrived);
  }
}
