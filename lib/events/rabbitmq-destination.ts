import * as z from "zod";

/** What the URI of a RabbitMQ broker says. */
export interface RabbitmqConnection {
  readonly protocol: "amqp" | "amqps";
  readonly hostname: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly vhost: string;
}

/** The host that brokers on this machine have, which may be spoken to without TLS and on any port. */
const HERE = "127.0.0.1";
const ports = [5671, 443];

/**
 * Reads the URI of a broker: `amqps://<user>:<password>@<host>[:<port>][/<virtual host>]`.
 * @returns why it can not be used, as a text, else what it says.
 */
export function readRabbitmqUri(text: string): RabbitmqConnection | string {
  const url = URL.parse(text);
  if (!url) return "not a URI";
  const [protocol] = ["amqp", "amqps"].filter((one) => url.protocol === `${one}:`) as RabbitmqConnection["protocol"][];
  const isHere = url.hostname === HERE;
  if (!protocol || (protocol === "amqp" && !isHere)) return "must begin with amqps://";
  if (url.username === "" || url.password === "") return "must contain user name and password";
  if (url.search !== "" || url.hash !== "") return "must not contain settings";
  const port = url.port === "" ? 5671 : Number(url.port);
  if (!isHere && !ports.includes(port)) return "the port must be 5671 or 443";
  try {
    const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    const vhost = decodeURIComponent(url.pathname.slice(1)) || "/";
    return { protocol, hostname: url.hostname, port, username, password, vhost };
  } catch {
    return "not percent-encoded as a URI is";
  }
}

const exchange = z.string().min(1).max(255);

/** An exchange of a RabbitMQ broker as a management key sets it. */
export const rabbitmqDraft = z.strictObject({
  uri: z
    .string()
    .max(2_000)
    .superRefine((text, context) => {
      const read = readRabbitmqUri(text);
      if (typeof read === "string") context.addIssue({ code: "custom", message: read });
    }),
  exchange,
});

/** As answered and stored. */
export const rabbitmqOpen = z.object({ uri: z.string(), exchange });
/** What of it is sealed. */
export const rabbitmqSecrets = z.object({ uri: z.string() });
/** An exchange with all that sending to it takes. */
export type RabbitmqExchange = z.output<typeof rabbitmqDraft>;

/** Parts what may be answered from what is sealed. */
export function partRabbitmq({ uri, exchange }: RabbitmqExchange) {
  const url = new URL(uri);
  return { open: { uri: `${url.protocol}//***@${url.host}${url.pathname}`, exchange }, secrets: { uri } };
}
