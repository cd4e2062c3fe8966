import type { FuzzRandom } from "./fuzz-random.ts";
import { drawHostileText } from "./hostile-values.ts";

/** Bytes for a connection, in the pieces to send, and the maximum number of requests that they contain. */
export interface WireAttack {
  /** Whether the server may wait for more bytes until the end of the stream. */
  readonly isUnfinished: boolean;
  readonly name: string;
  readonly pieces: readonly Buffer[];
  readonly requests: number;
}

const body = '{"client_user_id":"wire"}';
const crlf = "\r\n";
const join = (...lines: readonly string[]) => [...lines, "", ""].join(crlf);

const UNFINISHED_ATTACKS =
  /^(no version|other protocol|noise|too short|lengths|(sizes|end) of chunks|length and chunks)$/;

/** Draws an attack: bytes that no client sends. @param credential a header line. */
export function drawWireAttack(draw: FuzzRandom, credential: string): WireAttack {
  const [about, make] = draw.pick(Object.entries(attacks)) ?? ["", () => ""];
  const made = make(draw, credential);
  const bytes = typeof made === "string" ? Buffer.from(made, "latin1") : made;
  const isSplit = draw.percent(20) && bytes.length < 400;
  const pieces = isSplit ? [...bytes].map((byte) => Buffer.from([byte])) : [bytes];
  return { name: about, pieces, isUnfinished: UNFINISHED_ATTACKS.test(about), requests: about === "pipelined" ? 3 : 1 };
}

type BuildAttack = (draw: FuzzRandom, credential: string) => string | Buffer;

const post = (lines: readonly string[], content = body): string =>
  join("POST /v2/user HTTP/1.1", "host: localhost", "connection: close", "content-type: application/json", ...lines) +
  content;
const chunked = (credential: string, content: string): string =>
  post([credential, "transfer-encoding: chunked"], content);
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
const get = (target: string, ...lines: string[]): string =>
  join(`GET ${target} HTTP/1.1`, "host: localhost", "connection: close", ...lines);
const length = `content-length: ${body.length}`;

const attacks: Readonly<Record<string, BuildAttack>> = {
  method: (draw, line) =>
    join(
      `${draw.pick(["PROPFIND", "get", "TRACE", "CONNECT", "OPTIONS", "QUERY", "G\u0000T", "A".repeat(500)])} /v2/user HTTP/1.1`,
      "host: localhost",
      "connection: close",
      line,
    ),
  target: (draw, line) => get(latin1(drawHostileText(draw)).replaceAll(/\s/g, draw.pick(["", "%20", " "])), line),
  "encoded target": (draw, line) =>
    get(
      `/v2/user/${draw.pick(["%", "%zz", "%00", "%c0%ae%c0%ae", "%ed%a0%80", "%2e%2e/%2e%2e", "%0d%0a", ";a=b", "a".repeat(9_000)])}`,
      line,
    ),
  "form of target": (draw, line) =>
    get(
      draw.pick([
        "*",
        "http://elsewhere/v2/user",
        "//v2//user",
        "v2/user",
        "?",
        "",
        "/v2/user#f",
        "https://",
        "/v2/user?limit=%zz",
      ]),
      line,
    ),
  version: (draw, line) =>
    join(
      `GET /v2/user HTTP/${draw.pick(["0.9", "1.0", "2.0", "9.9", "1.1.1", "x"])}`,
      "host: localhost",
      "connection: close",
      line,
    ),
  "no version": () => "GET /v2/user\r\n",
  "other protocol": (draw) =>
    draw.pick([
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000\u0001",
      "SSH-2.0-x\r\n",
      "EHLO a\r\n",
      "\r\n\r\n\r\n",
      "",
    ]),
  noise: (draw) => draw.bytes(1 + draw.integerBelow(200)),
  hosts: (draw, line) =>
    join(
      "GET /v2/user HTTP/1.1",
      ...draw.pick([
        ["host: localhost", "host: b"],
        [],
        ["host: a"],
        ["host: localhost:99999"],
        ["host: a:99999"],
        ["host: \u0001"],
        ["host:"],
      ]),
      "connection: close",
      line,
    ),
  "credentials twice": (draw, line) =>
    get("/v2/user", line, draw.pick([line, "x-service-api-key: x", "x-vital-api-key: y", "authorization: Bearer z"])),
  "names of headers": (draw, line) =>
    get(
      "/v2/user",
      line,
      draw.pick(["__proto__: x", "constructor: y", "a b: c", ": d", "e : f", "toString: g", "x\u0000y: h", "é: i"]),
    ),
  "values of headers": (draw, line) =>
    get("/v2/user", line, `x-idempotency-key: ${latin1(drawHostileText(draw)).replaceAll(/[\r\n]/g, "")}`),
  "folded header": (_, line) => get("/v2/user", line, "x-a: b\r\n  c"),
  "bare line ends": (_, line) => get("/v2/user", line).replaceAll(crlf, "\n"),
  "many headers": (draw, line) =>
    get("/v2/user", line, ...Array.from({ length: draw.pick([100, 3_000]) }, (_, index) => `x-${index}: ${index}`)),
  "long header": (draw, line) => get("/v2/user", line, `x-a: ${"b".repeat(draw.pick([8_000, 40_000]))}`),
  "content types": (draw, line) =>
    post([
      line,
      length,
      `content-type: ${draw.pick(["text/plain", "application/json; charset=utf-16", "multipart/form-data", "*/*", ""])}`,
    ]),
  "encoded body": (draw, line) =>
    post([line, length, `content-encoding: ${draw.pick(["gzip", "br", "identity", "x"])}`]),
  lengths: (draw, line) =>
    post([
      line,
      ...draw.pick([
        ["content-length: 5", "content-length: 9"],
        ["content-length: -1"],
        ["content-length: 1e3"],
        ["content-length: 0x19"],
        ["content-length: 99999999999999999999"],
        ["content-length: 5, 5"],
        ["content-length:"],
      ]),
    ]),
  "too short": (_, line) => post([line, `content-length: ${body.length + 9}`]),
  "too long": (_, line) => post([line, `content-length: ${body.length - 3}`]),
  "length and chunks": (draw, line) =>
    post(
      [
        line,
        ...draw.pick([
          [length, "transfer-encoding: chunked"],
          ["transfer-encoding: chunked", length],
          ["transfer-encoding: xchunked", length],
          ["transfer-encoding: chunked, identity"],
          ["transfer-encoding : chunked", length],
        ]),
      ],
      `0\r\n\r\n${get("/v2/user", line)}`,
    ),
  chunks: (_, line) => chunked(line, `${[...body].map((one) => `1\r\n${one}\r\n`).join("")}0\r\n\r\n`),
  "sizes of chunks": (draw, line) =>
    chunked(
      line,
      `${draw.pick(["zz", "-1", "ffffffffffffffff", "1;a=b", "19;", " 19", "0x19", ""])}\r\n${body}\r\n0\r\n\r\n`,
    ),
  "end of chunks": (draw, line) =>
    chunked(
      line,
      `19\r\n${body}\r\n${draw.pick(["", "0\r\n", "0\r\nx-service-api-key: x\r\n\r\n", "0\r\n\r\nmore", "1\r\n"])}`,
    ),
  bytes: (draw, line) => Buffer.concat([Buffer.from(post([line, "content-length: 30"], ""), "latin1"), draw.bytes(30)]),
  expect: (draw, line) => post([line, length, `expect: ${draw.pick(["100-continue", "200-ok", ""])}`]),
  upgrade: (draw, line) =>
    get("/v2/user", line, `upgrade: ${draw.pick(["websocket", "h2c", "TLS/1.0"])}`, "connection: upgrade"),
  pipelined: (_, line) => get("/v2/user", line).replace("connection: close\r\n", "").repeat(2) + get("/v2/user", line),
};
