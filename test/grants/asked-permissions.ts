import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { requiredPermissions, signerOf } from "../../lib/local/front/authorization.ts";
import { type ArrivedRequest, CALLER_HEADER, toAwsRequest } from "../../lib/local/front/aws-request.ts";
import { type Catalogue, catalogueOf } from "../../lib/local/front/catalogue.ts";
import { REQUEST_CHANNEL } from "../../lib/local/front/front.ts";
import type { Permission } from "../../lib/local/front/permission.ts";
import { isPresigned, openPresigned } from "../../lib/local/front/presigned-link.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";

/**
 * Receives each permission that a request to the AWS proxy needs, and the function that sends or signed the request.
 */
export type OnAsked = (caller: string, permission: Permission, arrived: ArrivedRequest) => void;

/** Whether a request carries its signature in the URL. */
export const isLink = ({ path }: ArrivedRequest): boolean => path.includes("X-Amz-Signature=");

/**
 * Watches the permissions that functions request from the AWS proxy, granted or not, with the partition keys. The
 * proxy's own observer omits those keys, and grants on two entities of one table differ only by them.
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

  /** Finds the presumed signer of a URL. @returns the signer, and the permissions that the request needs. */
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
