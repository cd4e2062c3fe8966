import { connect, type Socket } from "node:net";
import type { Answer } from "./aws-error.ts";
import type { ArrivedRequest } from "./aws-request.ts";
import { without } from "./forwarder.ts";

/** A request that waits for its answer. */
interface Asked {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Hands requests on to the DynamoDB engine, which says how long its answers are. Node's own HTTP client can do far more,
 * and takes several times as long for each.
 */
export class DynamodbLine {
  readonly #host: string;
  readonly #port: number;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();

  /** @param origin for example `http://127.0.0.1:8000` */
  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.#host = hostname;
    this.#port = Number(port) || 80;
  }

  /** Sends a request on, with another body if one is given. @throws Error when the engine cannot be reached. */
  async send({ method, path, headers, raw }: ArrivedRequest, body: Buffer = raw): Promise<Answer> {
    const connection = this.#idle.pop() ?? this.#connect();
    const own = { host: `${this.#host}:${this.#port}`, "content-length": body.length };
    const lines = Object.entries({ ...without(headers), ...own }).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
    const answer = await connection.ask(Buffer.concat([Buffer.from(head, "latin1"), body]));
    this.#idle.push(connection);
    return { ...answer, headers: without(answer.headers) };
  }

  close(): void {
    for (const connection of this.#open) connection.end();
  }

  #connect(): Connection {
    const connection = new Connection(connect(this.#port, this.#host), () => {
      this.#open.delete(connection);
      const place = this.#idle.indexOf(connection);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    this.#open.add(connection);
    return connection;
  }
}

/** One connection, on which one request at a time is answered. */
class Connection {
  readonly #socket: Socket;
  #asked: Asked | undefined;
  #received: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, onClose: () => void) {
    this.#socket = socket.setNoDelay(true);
    const over = (error: Error) => {
      onClose();
      this.#asked?.reject(error);
      this.#asked = undefined;
    };
    socket.on("data", (part) => this.#take(part));
    socket.on("error", over).on("close", () => over(new Error("the engine closed the connection")));
  }

  ask(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const { status, headers } = parseHead(this.#received.toString("latin1", 0, headEnd));
    const bodyBegin = headEnd + HEAD_END.length;
    const length = Number(headers["content-length"]);
    if (Number.isNaN(length))
      return void this.#socket.destroy(new Error("the engine did not say how long its answer is"));
    if (this.#received.length < bodyBegin + length) return;
    const body = this.#received.subarray(bodyBegin, bodyBegin + length);
    this.#received = Buffer.alloc(0);
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.resolve({ status, headers, body });
  }
}

function parseHead(head: string): { status: number; headers: Record<string, string> } {
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(" ")[1]), headers: Object.fromEntries(headers) };
}
