import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { freePort } from "../../lib/local/free-port.ts";

const drawn = vi.hoisted(() => ({ ports: [] as number[] }));
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  const randomInt = (low: number, high: number) => drawn.ports.shift() ?? crypto.randomInt(low, high);
  return { ...crypto, randomInt };
});

test("is one that can be listened on, and that no outgoing connection is given", async () => {
  const server = createServer().listen(await freePort(), "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  expect(port).toBeGreaterThan(1_023);
  expect(port).toBeLessThan(32_768);
  server.close();
});

test("is not one that is taken", async () => {
  const taken = createServer().listen(await freePort(), "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  drawn.ports = [port, port];
  expect(await freePort()).not.toBe(port);
  expect(drawn.ports).toEqual([]);
  taken.close();
});
