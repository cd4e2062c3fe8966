import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterEach } from "vitest";
import { type HttpApi, type HttpApiOptions, startHttpApi } from "../../../lib/local/http-api/http-api-server.ts";

const running: HttpApi[] = [];

/** Starts an API on any free port for one test. Its functions return their event. */
export async function startApi(options: Partial<HttpApiOptions> = {}): Promise<HttpApi> {
  const api = await startHttpApi({
    name: "main",
    port: 0,
    routes: [{ routeKey: "$default", functionArn: "arn:aws:lambda:us-east-1:000000000000:function:echo" }],
    invoke: async (_arn, event) => event,
    clock: { now: () => Date.UTC(2030, 0, 2, 3, 4, 5) },
    ...options,
  });
  running.push(api);
  return api;
}

afterEach(async () => {
  for (const api of running.splice(0)) await api.close();
});

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/** Sends one request on its own connection. */
export async function sendRequest(
  api: HttpApi,
  path: string,
  { method = "GET", headers = {}, body }: RequestOptions = {},
): Promise<Reply> {
  const sent = request(api.url, { path, method, headers: { ...headers }, agent: false });
  sent.end(body);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

/** Returns the event of a request. */
export async function eventOf(api: HttpApi, path: string, asked?: RequestOptions): Promise<APIGatewayProxyEventV2> {
  return JSON.parse((await sendRequest(api, path, asked)).text);
}

/** Sends raw bytes. @returns the received text until the connection closes. */
export async function sendRaw(api: HttpApi, text: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
  socket.on("error", () => socket.destroy());
  socket.write(text);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  await once(socket, "close");
  return received;
}
