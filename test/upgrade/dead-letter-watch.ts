import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { REQUEST_CHANNEL } from "../../lib/local/aws-proxy/aws-proxy.ts";
import { type IncomingRequest, toAwsRequest } from "../../lib/local/aws-proxy/aws-request.ts";

/** Records the reasons with which functions dead-letter messages. */
export class DeadLetterWatch {
  readonly #reasons: string[] = [];

  constructor() {
    subscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  /** Stops recording. @returns one reason for each message. */
  stop(): readonly string[] {
    unsubscribe(REQUEST_CHANNEL, this.#onRequest);
    return this.#reasons;
  }

  readonly #onRequest = (arrived: unknown): void => {
    const { service, body } = toAwsRequest(arrived as IncomingRequest);
    const { reason } = (body.MessageAttributes ?? {}) as { reason?: { StringValue?: string } };
    if (service === "sqs" && reason?.StringValue !== undefined) this.#reasons.push(reason.StringValue);
  };
}
