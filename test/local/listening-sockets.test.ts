import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { isLoopback, listListeningSockets } from "../support/listening-sockets.ts";

describe("an address of the socket tables", () => {
  test.each([
    ["127.0.0.1", "0100007F", true],
    ["127.8.0.1", "0100087F", true],
    ["::1", "00000000000000000000000001000000", true],
    ["::ffff:127.0.0.1", "0000000000000000FFFF00000100007F", true],
    ["0.0.0.0", "00000000", false],
    ["10.0.0.127", "7F00000A", false],
    ["::", "00000000000000000000000000000000", false],
    ["fe80::1", "000080FE000000000000000001000000", false],
    ["::ffff:10.0.0.1", "0000000000000000FFFF00000100000A", false],
    ["nothing", "", false],
  ])("%s", (_, address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});

test.runIf(process.platform === "linux")("every listening socket of a process is found, with its address", async () => {
  for (const [host, expected] of [
    ["127.0.0.1", true],
    ["0.0.0.0", false],
  ] as const) {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const found = listListeningSockets(process.pid).filter((socket) => socket.port === port);
    server.close();
    await once(server, "close");
    expect(found).toMatchObject([{ pid: process.pid, isLoopback: expected }]);
  }
});
