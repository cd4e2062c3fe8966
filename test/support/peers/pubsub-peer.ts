import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceClientConstructor,
  type sendUnaryData,
  status,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { loopbackCertificate, loopbackKey } from "./loopback-certificate.ts";

/** A message as a subscriber of the topic reads it. */
export interface TopicMessage {
  readonly topic: string;
  readonly orderingKey: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Size of the data on the wire, bytes. */
  readonly bytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly data: any;
}

interface PublishRequest {
  readonly topic: string;
  readonly messages: readonly { data: Buffer; attributes: Record<string, string>; orderingKey: string }[];
}
type Call = ServerUnaryCall<PublishRequest, { messageIds: string[] }>;
type Answer = sendUnaryData<{ messageIds: string[] }>;

const require = createRequire(import.meta.url);
const PUBSUB = dirname(require.resolve("@google-cloud/pubsub/package.json"));
const COMMON = join(dirname(require.resolve("google-gax")), "../protos");
const SCOPE = "https://www.googleapis.com/auth/pubsub";
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = { type: "pkcs8", format: "pem" } as const;

/**
 * The publisher service of Pub/Sub, from its published definition: gRPC over TLS, with tokens signed by the account.
 */
export class PubsubPeer {
  readonly messages: TopicMessage[] = [];
  /** Errors of the next requests; "hang" sends no response. */
  readonly failures: (number | "hang")[] = [];
  /** Number of requests with a valid token, and their connections. */
  requests = 0;
  readonly connections = new Set<string>();
  /** The key file of an account with the right to publish. */
  readonly credentials = {
    type: "service_account",
    client_email: "sender@project-1.iam.gserviceaccount.com",
    private_key: keys.privateKey.export(PEM).toString(),
  };
  port = 0;
  readonly #topics: readonly string[];
  readonly #server = new Server();

  private constructor(topics: readonly string[]) {
    this.#topics = topics;
    const options = { keepCase: false, longs: String, defaults: true, includeDirs: [`${PUBSUB}/build/protos`, COMMON] };
    const loaded = loadPackageDefinition(loadSync("google/pubsub/v1/pubsub.proto", options));
    const { Publisher } = Reflect.get(Reflect.get(Reflect.get(loaded, "google"), "pubsub"), "v1");
    this.#server.addService((Publisher as ServiceClientConstructor).service, {
      publish: (call: Call, answer: Answer) => this.#publish(call, answer),
    });
  }

  /** @param topics as `projects/<project>/topics/<topic>`. */
  static async start(...topics: string[]): Promise<PubsubPeer> {
    const peer = new PubsubPeer(topics);
    const tls = ServerCredentials.createSsl(null, [
      { cert_chain: Buffer.from(loopbackCertificate), private_key: Buffer.from(loopbackKey) },
    ]);
    peer.port = await new Promise((resolve, reject) => {
      peer.#server.bindAsync("127.0.0.1:0", tls, (error, port) => (error ? reject(error) : resolve(port)));
    });
    return peer;
  }

  get endpoint(): string {
    return `127.0.0.1:${this.port}`;
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #publish(call: Call, answer: Answer): void {
    const { topic, messages } = call.request;
    const [authorization = ""] = call.metadata.get("authorization");
    if (!isSigned(String(authorization), this.credentials.client_email)) {
      answer({ code: status.UNAUTHENTICATED, details: "the token is not valid" });
      return;
    }
    this.requests++;
    this.connections.add(call.getPeer());
    const trouble = this.failures.shift();
    if (trouble === "hang") return;
    const isOneKey = new Set(messages.map(({ orderingKey }) => orderingKey)).size === 1;
    if (trouble !== undefined) answer({ code: trouble, details: "as the test wants it" });
    else if (!this.#topics.includes(topic)) answer({ code: status.NOT_FOUND, details: topic });
    else if (!isOneKey) answer({ code: status.INVALID_ARGUMENT, details: "messages with more than one ordering key" });
    else {
      this.messages.push(
        ...messages.map(({ data, attributes, orderingKey }) => {
          const text = attributes["blob-codec"] === "gzip" ? gunzipSync(data) : data;
          return { topic, orderingKey, attributes, bytes: data.length, data: JSON.parse(text.toString("utf8")) };
        }),
      );
      answer(null, { messageIds: messages.map((_, index) => String(index)) });
    }
  }
}

/** Whether a header contains an unexpired token that the account signed itself for this service. */
function isSigned(authorization: string, account: string): boolean {
  const [head = "", claims = "", signature = ""] = authorization.replace(/^Bearer /, "").split(".");
  if (claims === "") return false;
  const key = createPublicKey(keys.privateKey);
  const isValid = verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"));
  const { iss, sub, scope = "", exp } = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
  return isValid && iss === account && sub === account && scope.split(" ").includes(SCOPE) && exp > Date.now() / 1000;
}
