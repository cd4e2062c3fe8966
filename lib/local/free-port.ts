import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections (Linux from 32768 on, others from 49152), any of which could
 * take a port between this look and its use.
 */
const [LOWEST, HIGHEST] = [10_240, 32_767];
const MOST_DRAWS = 1_000;

const drawn = (): number => randomInt(LOWEST, HIGHEST + 1);

/** A port of 127.0.0.1 that nothing listens on now. @throws Error when there hardly is any. */
export async function freePort(draw = drawn): Promise<number> {
  for (let draws = 1; draws <= MOST_DRAWS; draws++) {
    const port = draw();
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${LOWEST} to ${HIGHEST}`);
}

/** Ports that no browser connects to, whatever a page asks for (Fetch standard, "bad port"); above 1023. */
const BLOCKED = [
  1719, 1720, 1723, 3659, 4045, 4190, 5060, 5061, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
];

/** A free port that pages in browsers can not reach; any free one once these are taken. */
export async function portBeyondBrowsers(): Promise<number> {
  const left = [...BLOCKED];
  while (left.length > 0) {
    const [port = 0] = left.splice(randomInt(left.length), 1);
    if (await isFree(port)) return port;
  }
  return freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
