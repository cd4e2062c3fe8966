import { connect, type Socket } from "node:net";
import type { Answer } from "./aws-error.ts";
import type { ArrivedRequest } from "./aws-request.ts";
import { isPassedOn } from "./forwarder.ts";

/** A request that waits for its answer. */
interface Asked {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Hands requests on to the DynamoDB engine, which says how long its answers are. Node's own HTTP client can do far more,
 * and takes several times as long for each. What is asked in one turn of the event loop goes out by one write, and is
 * answered in that order (RFC 9112, section 9.3.2): the way through the system costs more than most requests.
 */
export class DynamodbLine {
  readonly #host: string;
  readonly #port: number;
  #connection: Connection | undefined;

  /** @param origin for example `http://127.0.0.1:8000` */
  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.#host = hostname;
    this.#port = Number(port) || 80;
  }

  /** Sends a request on, with another body if one is given. @throws Error when the engine cannot be reached. */
  async send({ method, path, headers, raw }: ArrivedRequest, body: Buffer = raw): Promise<Answer> {
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}:${this.#port}\r\ncontent-length: ${body.length}\r\n`;
    for (const name in headers)
      if (name !== "content-length" && isPassedOn(name)) head += `${name}: ${headers[name]}\r\n`;
    this.#connection ??= this.#connect();
    return this.#connection.ask(Buffer.from(`${head}\r\n`, "latin1"), body);
  }

  close(): void {
    this.#connection?.end();
  }

  #connect(): Connection {
    const connection = new Connection(connect(this.#port, this.#host), () => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    return connection;
  }
}

/** One connection, on which requests are answered one after the other. */
class Connection {
  readonly #socket: Socket;
  readonly #asked: Asked[] = [];
  readonly #outgoing: Buffer[] = [];
  #received: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, onClose: () => void) {
    this.#socket = socket.setNoDelay(true);
    const over = (error: Error) => {
      onClose();
      for (const { reject } of this.#asked.splice(0)) reject(error);
    };
    socket.on("data", (part) => this.#take(part));
    socket.on("error", over).on("close", () => over(new Error("the engine closed the connection")));
  }

  ask(head: Buffer, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      if (this.#outgoing.length === 0) setImmediate(() => this.#socket.write(Buffer.concat(this.#outgoing.splice(0))));
      this.#outgoing.push(head, body);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    while (this.#answerFirst()) {}
  }

  /** Answers the first request, if its answer has been received as a whole. @returns whether it was. */
  #answerFirst(): boolean {
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return false;
    const { status, headers } = parseHead(this.#received.toString("latin1", 0, headEnd));
    const bodyBegin = headEnd + HEAD_END.length;
    const bodyEnd = bodyBegin + Number(headers["content-length"]);
    if (Number.isNaN(bodyEnd)) this.#socket.destroy(new Error("the engine did not say how long its answer is"));
    if (!(this.#received.length >= bodyEnd)) return false;
    this.#asked.shift()?.resolve({ status, headers, body: this.#received.subarray(bodyBegin, bodyEnd) });
    this.#received = this.#received.subarray(bodyEnd);
    return true;
  }
}

function parseHead(head: string): { status: number; headers: Record<string, string> } {
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (isPassedOn(name)) headers[name] = line.slice(colon + 1).trim();
  }
  return { status: Number(statusLine.split(" ")[1]), headers };
}
