import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * The range below the ephemeral ports (Linux from 32768, other systems from 49152). An outgoing connection could take
 * an ephemeral port between the check and its use.
 */
const [MIN_PORT, MAX_PORT] = [10_240, 32_767];
const MAX_DRAWS = 1_000;

/**
 * Distance of the ports of a process, which it draws in turn. Another process, or the same one, could otherwise draw a
 * port between the check and its use.
 */
const STRIDE = 64;
const PORTS_OF_PROCESS = Math.floor((MAX_PORT + 1 - MIN_PORT) / STRIDE);
let place = randomInt(PORTS_OF_PROCESS);

function nextPort(): number {
  place = (place + 1) % PORTS_OF_PROCESS;
  return MIN_PORT + (process.pid % STRIDE) + place * STRIDE;
}

/** Finds a port of 127.0.0.1 on which no process listens. @throws Error when none of 1,000 drawn ports is free. */
export async function findFreePort(draw = nextPort): Promise<number> {
  for (let draws = 1; draws <= MAX_DRAWS; draws++) {
    const port = draw();
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${MIN_PORT} to ${MAX_PORT}`);
}

/** Ports above 1023 that browsers refuse to connect to (Fetch standard, "bad port"). */
const BROWSER_BLOCKED_PORTS = [
  1719, 1720, 1723, 3659, 4045, 4190, 5060, 5061, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
];

/**
 * Finds a free port that web pages cannot reach. Falls back to any free port when all blocked ports are taken. Processes
 * begin at different ports. They draw none: what others take would change the random values of a simulation.
 */
export async function findBrowserBlockedPort(): Promise<number> {
  const first = process.pid % BROWSER_BLOCKED_PORTS.length;
  const ports = [...BROWSER_BLOCKED_PORTS.slice(first), ...BROWSER_BLOCKED_PORTS.slice(0, first)];
  for (const port of ports) if (await isFree(port)) return port;
  return findFreePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
