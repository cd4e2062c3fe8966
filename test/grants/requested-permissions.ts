import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { findSigner, requiredPermissions } from "../../lib/local/aws-proxy/authorization.ts";
import { REQUEST_CHANNEL } from "../../lib/local/aws-proxy/aws-proxy.ts";
import { CALLER_HEADER, type IncomingRequest, toAwsRequest } from "../../lib/local/aws-proxy/aws-request.ts";
import type { Permission } from "../../lib/local/aws-proxy/permission.ts";
import { isPresigned, verifyPresigned } from "../../lib/local/aws-proxy/presigned-url.ts";
import { createResourceIndex, type ResourceIndex } from "../../lib/local/aws-proxy/resource-index.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";

/**
 * Receives each permission that a request to the AWS proxy needs, and the function that sends or signed the request.
 */
export type OnPermissionRequest = (caller: string, permission: Permission, arrived: IncomingRequest) => void;

/** Whether a request carries its signature in the URL. */
export const isPresignedRequest = ({ path }: IncomingRequest): boolean => path.includes("X-Amz-Signature=");

/**
 * Watches the permissions that functions request from the AWS proxy, granted or not, with the partition keys. The
 * proxy's own observer omits those keys, and grants on two entities of one table differ only by them.
 */
export class RequestedPermissions {
  readonly #cloud: LocalCloud;
  readonly #catalogue: ResourceIndex;
  readonly #onAsked: OnPermissionRequest;

  constructor(cloud: LocalCloud, onAsked: OnPermissionRequest) {
    this.#cloud = cloud;
    this.#catalogue = createResourceIndex(cloud.assembly);
    this.#onAsked = onAsked;
    subscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  /** Stops watching. */
  stop(): void {
    unsubscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  /** Finds the presumed signer of a URL. @returns the signer, and the permissions that the request needs. */
  findSigner(link: IncomingRequest): { caller: string; permissions: readonly Permission[] } {
    const received = toAwsRequest(link);
    const asked = isPresigned(received)
      ? verifyPresigned(received, this.#cloud.clock.now(), this.#cloud.awsProxy.secretAccessKey)
      : received;
    const permissions = requiredPermissions(asked, this.#catalogue);
    return { caller: findSigner(this.#cloud.policies, permissions) ?? "", permissions };
  }

  readonly #onRequest = (message: unknown): void => {
    const arrived = message as IncomingRequest;
    const named = arrived.headers[CALLER_HEADER];
    if (typeof named === "string")
      this.#notify(named, requiredPermissions(toAwsRequest(arrived), this.#catalogue), arrived);
    else if (isPresignedRequest(arrived)) {
      const { caller, permissions } = this.findSigner(arrived);
      this.#notify(caller, permissions, arrived);
    }
  };

  #notify(caller: string, permissions: readonly Permission[], arrived: IncomingRequest): void {
    for (const permission of permissions) this.#onAsked(caller, permission, arrived);
  }
}
