import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DynamodbConnectionPool } from "../../../lib/local/aws-proxy/dynamodb-connection-pool.ts";

/** An engine that collects requests by connection, and responds on demand. */
class Engine {
  readonly #server: Server = createServer((socket) => this.#accept(socket));
  readonly sockets: Socket[] = [];
  readonly requests: { readonly socket: Socket; readonly body: string }[] = [];

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }

  /** Waits for a total number of requests. */
  async asked(count: number): Promise<void> {
    await expect.poll(() => this.requests.length).toBe(count);
  }

  #accept(socket: Socket): void {
    this.sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => this.requests.push({ socket, body: data.toString().split("\r\n\r\n")[1] ?? "" }));
  }
}

const answerTo = (body: string) => `HTTP/1.1 200 OK\r\nX-Amz-Crc32: 1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

let engine: Engine;
let line: DynamodbConnectionPool;
beforeEach(async () => {
  engine = new Engine();
  line = new DynamodbConnectionPool(await engine.listen());
});
afterEach(() => {
  line.close();
  engine.stop();
});
const send = (text: string) =>
  line.send({ method: "POST", path: "/", headers: { "x-amz-target": "GetItem" }, raw: Buffer.from(text) });

describe("the connection pool of the engine", () => {
  test("sends concurrent requests on separate connections, and reuses the connections", async () => {
    const answers = Promise.all([send("one"), send("two")]);
    await engine.asked(2);
    expect(engine.sockets).toHaveLength(2);
    for (const { socket, body } of engine.requests) socket.write(answerTo(body));
    expect((await answers).map(({ status, body }) => [status, body.toString()])).toEqual([
      [200, "one"],
      [200, "two"],
    ]);
    const third = send("three");
    await engine.asked(3);
    engine.requests[2]?.socket.write(answerTo("three"));
    expect((await third).body.toString()).toBe("three");
    expect(engine.sockets).toHaveLength(2);
  });

  test("reads a response that arrives in pieces, split anywhere", async () => {
    const text = answerTo("a longer answer");
    for (const cut of [1, 20, text.indexOf("\r\n\r\n") + 2, text.length - 1]) {
      const answer = send("cut");
      await expect.poll(() => engine.requests.length).toBeGreaterThan(0);
      const { socket } = engine.requests.splice(0)[0] ?? {};
      socket?.write(text.slice(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket?.write(text.slice(cut));
      expect((await answer).body.toString()).toBe("a longer answer");
    }
  });

  test("queues requests beyond its connections, and answers all of them", async () => {
    const answers = Promise.all(Array.from({ length: 100 }, (_, place) => send(`request ${place}`)));
    await engine.asked(64);
    for (let place = 0; place < 100; place++) {
      await expect.poll(() => engine.requests.length).toBeGreaterThan(place);
      const { socket, body } = engine.requests[place] ?? {};
      socket?.write(answerTo(body ?? ""));
    }
    expect((await answers).map(({ body }) => body.toString())).toEqual(
      Array.from({ length: 100 }, (_, place) => `request ${place}`),
    );
    expect(engine.sockets).toHaveLength(64);
  });

  test("fails a request whose connection the engine closes, and sends the next on another", async () => {
    const lost = send("lost");
    lost.catch(() => undefined);
    await engine.asked(1);
    engine.sockets[0]?.destroy();
    await expect(lost).rejects.toThrow("closed the connection");
    const next = send("next");
    await engine.asked(2);
    engine.requests[1]?.socket.write(answerTo("found"));
    expect((await next).body.toString()).toBe("found");
  });

  test("fails a response without a length", async () => {
    const answer = send("endless");
    answer.catch(() => undefined);
    await engine.asked(1);
    engine.sockets[0]?.write("HTTP/1.1 200 OK\r\n\r\n");
    await expect(answer).rejects.toThrow("has no content length");
  });
});
