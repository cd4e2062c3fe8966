import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";

/** Behavior of a receiver on a connection: after a request arrives, or immediately. */
export interface ConnectionBehavior {
  readonly onRequest?: (socket: Socket) => void;
  readonly onConnection?: (socket: Socket) => void;
  /** Recorded outcome of the attempt. */
  readonly status: number;
  readonly error?: "timeout" | "broken" | "unreachable";
  /** Start of the stored response. */
  readonly response?: string;
}

const head = (status: string, ...headers: string[]) => [`HTTP/1.1 ${status}`, ...headers, "", ""].join("\r\n");
const says = (text: string | Uint8Array) => (socket: Socket) => void socket.write(text);
const saysAndEnds = (text: string | Uint8Array) => (socket: Socket) => void socket.end(text);

/** Responds with a status and nothing else. */
const answers = (status: number, ...headers: string[]): ConnectionBehavior => ({
  onRequest: saysAndEnds(head(`${status} So`, "content-length: 0", ...headers)),
  status,
});

/** Writes a piece repeatedly until the client closes the connection. */
const forEver = (first: string, piece: string | Uint8Array, everyMs: number) => (socket: Socket) => {
  socket.write(first);
  const timer = setInterval(() => !socket.writableNeedDrain && socket.write(piece), everyMs);
  socket.once("close", () => clearInterval(timer));
};

const timesOut = (onRequest: (socket: Socket) => void): ConnectionBehavior => ({
  onRequest,
  status: 0,
  error: "timeout",
});
const breaks = (onRequest: (socket: Socket) => void): ConnectionBehavior => ({ onRequest, status: 0, error: "broken" });

const FLOOD = "x".repeat(65_536);
const CHUNKED = head("200 OK", "transfer-encoding: chunked");

/** Behaviors of receivers, by description. */
export const connectionBehaviors: Readonly<Record<string, ConnectionBehavior>> = {
  "answers 204": answers(204),
  "answers 299": answers(299),
  "answers 204 with a body": { onRequest: saysAndEnds(`${head("204 No Content")}more`), status: 204 },
  "answers 400": answers(400),
  "answers 404": answers(404),
  "answers 500": answers(500),
  "answers 999": answers(999),
  "answers 301": answers(301, "location: /elsewhere"),
  "answers 302": answers(302, "location: /elsewhere"),
  "answers 307 to itself": answers(307, "location: /hook"),
  "answers 308 into the network": answers(308, "location: http://169.254.169.254/"),
  "answers twice": { onRequest: saysAndEnds(head("200 OK", "content-length: 0").repeat(2)), status: 200 },
  "answers more than it announced": {
    onRequest: saysAndEnds(`${head("200 OK", "content-length: 2")}ok and more`),
    status: 200,
    response: "ok",
  },
  "answers without a reason or length": {
    onRequest: saysAndEnds("HTTP/1.0 200\r\n\r\nfine"),
    status: 200,
    response: "fine",
  },
  "answers before the request": { onConnection: says(head("200 OK", "content-length: 0")), status: 200 },
  "sends a body of 50 MB": {
    onRequest: forEver(head("200 OK", "content-length: 52428800"), FLOOD, 1),
    status: 200,
    response: "x".repeat(1024),
  },
  "sends an endless body": {
    onRequest: forEver(CHUNKED, `10000\r\n${FLOOD}\r\n`, 1),
    status: 200,
    response: "x".repeat(1024),
  },
  "sends a gzip bomb": {
    onRequest: (socket) => {
      const bomb = gzipSync(Buffer.alloc(8_000_000));
      socket.end(
        Buffer.concat([Buffer.from(head("200 OK", "content-encoding: gzip", `content-length: ${bomb.length}`)), bomb]),
      );
    },
    status: 200,
    response: "\u001f",
  },
  "sends a binary body": {
    onRequest: saysAndEnds(
      Buffer.concat([Buffer.from(head("200 OK", "content-length: 4")), Buffer.from([0, 255, 192, 128])]),
    ),
    status: 200,
    response: "\u0000",
  },
  "hangs before headers": timesOut(() => undefined),
  "hangs after headers": timesOut(says(head("200 OK", "content-length: 10"))),
  "drips headers": timesOut(forEver("HTTP/1.1 200 OK\r\n", "x-more: 1\r\n", 40)),
  "drips a body": timesOut(forEver(head("200 OK", "content-length: 100000"), "x", 40)),
  "sends endless early hints": breaks(forEver("", head("103 Early Hints", "link: </a>").repeat(1_000), 1)),
  "switches protocols": breaks(says(head("101 Switching Protocols", "connection: upgrade", "upgrade: websocket"))),
  "resets before reading the request": {
    onConnection: (socket) => void setTimeout(() => socket.resetAndDestroy(), 20),
    status: 0,
    error: "broken",
  },
  "resets after the request": breaks((socket) => void socket.resetAndDestroy()),
  "ends without an answer": breaks((socket) => void socket.end()),
  "ends within its headers": breaks(saysAndEnds("HTTP/1.1 200 OK\r\ncontent-")),
  "ends before its announced length": breaks(saysAndEnds(`${head("200 OK", "content-length: 10")}half`)),
  "ends within a chunk": breaks(saysAndEnds(`${CHUNKED}10\r\nhalf`)),
  "sends headers of 200 KB": breaks(says(`HTTP/1.1 200 OK\r\nx-long: ${FLOOD.repeat(3)}\r\n\r\n`)),
  "sends invalid chunks": breaks(says(`${CHUNKED}zz\r\nhello\r\n`)),
  "sends chunks with long extensions": breaks(says(`${CHUNKED}5;${FLOOD}\r\nhello\r\n`)),
  "announces a non-numeric length": breaks(says(head("200 OK", "content-length: abc"))),
  "announces a negative length": breaks(says(head("200 OK", "content-length: -1"))),
  "announces two lengths": breaks(says(`${head("200 OK", "content-length: 1", "content-length: 2")}ab`)),
  "speaks another protocol": breaks(says("SSH-2.0-OpenSSH_9.2\r\n")),
  "sends garbage": breaks(says(Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x00, 0x01]))),
};

/** Behaviors with Retry-After, and the seconds without a request; 5 for an invalid value. */
export const retryAfterBehaviors: Readonly<
  Record<string, { readonly animal: ConnectionBehavior; readonly leftAloneS: number }>
> = {
  "asks for two minutes": { animal: answers(429, "retry-after: 120"), leftAloneS: 120 },
  "asks for two minutes and is overloaded": { animal: answers(503, "retry-after: 120"), leftAloneS: 120 },
  "asks for 2,000 years": { animal: answers(429, "retry-after: 63072000000"), leftAloneS: 86_400 },
  "asks until a past date": {
    animal: answers(429, "retry-after: Wed, 21 Oct 2015 07:28:00 GMT"),
    leftAloneS: 5,
  },
  "asks for a negative time": { animal: answers(429, "retry-after: -120"), leftAloneS: 5 },
  "asks for an invalid time": { animal: answers(503, "retry-after: soon"), leftAloneS: 5 },
  "asks with status 500": { animal: answers(500, "retry-after: 120"), leftAloneS: 5 },
};
