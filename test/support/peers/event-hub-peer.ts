import { createHmac } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { gunzipSync } from "node:zlib";
import rhea, { type EventContext, type Message } from "rhea";

/** An event as a consumer of the hub reads it. */
export interface HubRecord {
  readonly hub: string;
  readonly partitionKey: unknown;
  readonly contentType: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Size of the body on the wire, bytes. */
  readonly bytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly data: any;
}

/** The failure of the next transfer: a rejection, or the loss of the link or connection without a response. */
export type TransferFailure = "reject" | "detach" | "disconnect";

const KEY_NAME = "sender";
const KEY = Buffer.alloc(32, 3).toString("base64");
/** Less credit than a batch has events, so that senders have to wait for more. */
const LINK_CREDIT = 1;
const MAX_MESSAGE_BYTES = 1_048_576;

/** An Event Hubs namespace as senders see it: AMQP 1.0 without TLS, tokens by the link $cbs, one link per hub. */
export class EventHubPeer {
  readonly records: HubRecord[] = [];
  /** Failures of the next transfers, one each. */
  readonly failures: TransferFailure[] = [];
  /** Number of opened connections. */
  connections = 0;
  readonly #hubs: readonly string[];
  readonly #server: Server;

  private constructor(hubs: readonly string[]) {
    this.#hubs = hubs;
    const container = rhea.create_container({ id: "namespace" });
    container.sasl_server_mechanisms.enable_anonymous();
    container.on("connection_open", () => this.connections++);
    container.on("receiver_open", (context: EventContext) => this.#admit(context));
    container.on("message", (context: EventContext) => this.#take(context));
    container.on("disconnected", () => {});
    container.on("connection_error", () => {});
    const receiver_options = { autoaccept: false, credit_window: LINK_CREDIT, max_message_size: MAX_MESSAGE_BYTES };
    this.#server = container.listen({ port: 0, host: "127.0.0.1", receiver_options }) as Server;
  }

  static async start(...hubs: string[]): Promise<EventHubPeer> {
    const peer = new EventHubPeer(hubs);
    await once(peer.#server, "listening");
    return peer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Credentials for this namespace. The server rejects other keys. */
  connectionString(key = KEY): string {
    const secret = `SharedAccessKeyName=${KEY_NAME};SharedAccessKey=${key}`;
    return `Endpoint=sb://127.0.0.1:${this.port}/;${secret};UseDevelopmentEmulator=true`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Accepts a sender with a valid token and the name of an existing hub. */
  #admit({ connection, receiver }: EventContext): void {
    const address = addressOf(receiver?.target);
    if (address === "$cbs" || !receiver) return;
    if (!Reflect.get(connection, "isAdmitted")) {
      receiver.close({ condition: "amqp:unauthorized-access", description: "no token" });
    } else if (!this.#hubs.includes(address)) {
      receiver.close({
        condition: "amqp:not-found",
        description: `The messaging entity 'sb://127.0.0.1/${address}' could not be found.`,
      });
    }
  }

  #take(context: EventContext): void {
    const { connection, receiver, delivery, message } = context;
    const address = addressOf(receiver?.target);
    if (!message || !delivery) return;
    if (address === "$cbs") {
      delivery.accept();
      this.#answerToken(context, message);
      return;
    }
    const trouble = this.failures.shift();
    if (trouble === "disconnect") Reflect.get(connection, "socket").destroy();
    else if (trouble === "detach") receiver?.close({ condition: "amqp:link:detach-forced", description: "moved" });
    else if (trouble === "reject") delivery.reject({ condition: "com.microsoft:server-busy", description: "busy" });
    else {
      this.records.push(...decodeBatch(address, message));
      delivery.accept();
    }
  }

  /** Answers put-token: 200 for a token that the key signed, else 401 (AMQP claims-based security). */
  #answerToken({ connection }: EventContext, message: Message): void {
    const isValid = isSigned(String(message.body));
    if (isValid) Reflect.set(connection, "isAdmitted", true);
    const reply = connection.find_sender((sender: { source: unknown }) => addressOf(sender.source) === "$cbs");
    reply?.send({
      body: "",
      ...(message.reply_to === undefined ? {} : { to: message.reply_to }),
      ...(message.message_id === undefined ? {} : { correlation_id: message.message_id }),
      application_properties: {
        "status-code": isValid ? 200 : 401,
        "status-description": isValid ? "OK" : "InvalidSignature: the token has an invalid signature",
      },
    });
  }
}

function addressOf(terminus: unknown): string {
  return String(Reflect.get(Object(terminus), "address") ?? "");
}

function isSigned(token: string): boolean {
  const fields = new URLSearchParams(token.replace(/^SharedAccessSignature /, ""));
  const signed = `${encodeURIComponent(fields.get("sr") ?? "")}\n${fields.get("se")}`;
  const signature = createHmac("sha256", KEY).update(signed).digest("base64");
  return fields.get("skn") === KEY_NAME && fields.get("sig") === signature;
}

/**
 * The events in a transfer. rhea leaves them encoded because of the batch format: a message with one encoded message in
 * each data section.
 */
function decodeBatch(hub: string, transferred: unknown): HubRecord[] {
  if (!Buffer.isBuffer(transferred)) throw new Error("not the format of a batch");
  const batch = rhea.message.decode(transferred);
  const content: Buffer | Buffer[] = batch.body.content;
  const encoded = Array.isArray(content) ? content : [content];
  const partitionKey = batch.message_annotations?.["x-opt-partition-key"];
  return encoded.map((bytes) => {
    const { content_type: contentType, application_properties: properties = {}, body } = rhea.message.decode(bytes);
    const sent: Buffer = body.content;
    const text = properties["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    return { hub, partitionKey, contentType, properties, bytes: sent.length, data: JSON.parse(text.toString("utf8")) };
  });
}
