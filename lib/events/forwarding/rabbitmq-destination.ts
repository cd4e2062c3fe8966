import * as z from "zod";

/** A parsed RabbitMQ URI. */
export interface RabbitmqConnection {
  readonly protocol: "amqp" | "amqps";
  readonly hostname: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly vhost: string;
}

/** Host of brokers on this machine. They may use any port and no TLS. */
const LOCAL_HOST = "127.0.0.1";
const ALLOWED_PORTS = [5671, 443];

/**
 * Parses a broker URI: `amqps://<user>:<password>@<host>[:<port>][/<virtual host>]`.
 * @returns the connection, or the reason it is invalid as a text.
 */
export function parseRabbitmqUri(text: string): RabbitmqConnection | string {
  const url = URL.parse(text);
  if (!url) return "must be a URI";
  const [protocol] = ["amqp", "amqps"].filter((one) => url.protocol === `${one}:`) as RabbitmqConnection["protocol"][];
  const isHere = url.hostname === LOCAL_HOST;
  if (!protocol || (protocol === "amqp" && !isHere)) return "must begin with amqps://";
  if (url.username === "" || url.password === "") return "must contain a user name and a password";
  if (url.search !== "" || url.hash !== "") return "must not contain a query or fragment";
  const port = url.port === "" ? 5671 : Number(url.port);
  if (!isHere && !ALLOWED_PORTS.includes(port)) return "the port must be 5671 or 443";
  try {
    const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    const vhost = decodeURIComponent(url.pathname.slice(1)) || "/";
    return { protocol, hostname: url.hostname, port, username, password, vhost };
  } catch {
    return "must be percent-encoded";
  }
}

const exchange = z.string().min(1).max(255);

/** An exchange of a RabbitMQ broker as a management key sets it. */
export const rabbitmqDraft = z.strictObject({
  uri: z
    .string()
    .max(2_000)
    .superRefine((text, context) => {
      const read = parseRabbitmqUri(text);
      if (typeof read === "string") context.addIssue({ code: "custom", message: read });
    }),
  exchange,
});

/** As returned and stored. */
export const rabbitmqSettings = z.object({ uri: z.string(), exchange });
/** The secret, which is stored encrypted. */
export const rabbitmqSecrets = z.object({ uri: z.string() });
/** An exchange with everything needed to publish to it. */
export type RabbitmqExchange = z.output<typeof rabbitmqDraft>;

/** Splits a draft into its readable settings and its secrets. */
export function splitRabbitmqSecrets({ uri, exchange }: RabbitmqExchange) {
  const url = new URL(uri);
  return { open: { uri: `${url.protocol}//***@${url.host}${url.pathname}`, exchange }, secrets: { uri } };
}
