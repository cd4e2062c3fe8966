import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { expect, test } from "vitest";
import { findFreePort } from "../../lib/local/free-port.ts";

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test("a free port can be listened on, and is never assigned to an outgoing connection", async () => {
  const server = await listening(await findFreePort());
  const { port } = server.address() as AddressInfo;
  expect(port).toBeGreaterThan(1_023);
  expect(port).toBeLessThan(32_768);
  server.close();
});

test("a free port is not in use", async () => {
  const [port, other] = [await findFreePort(), await findFreePort()];
  const taken = await listening(port);
  const draws = [port, port, other];
  expect(await findFreePort(() => draws.shift() ?? 0)).toBe(other);
  taken.close();
});

test("ports that are not listened on yet are not given out again", async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, () => findFreePort()));
  expect(new Set(ports).size).toBe(300);
});
