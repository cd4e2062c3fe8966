import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { WireAttack } from "./wire-attacks.ts";

/** The server's response. */
export interface WireAnswer {
  readonly text: string;
  readonly tookMs: number;
}

const [MAX_WAIT_MS, PAUSE_MS] = [3_000, 100];

/** Sends an attack and reads until the server closes the connection. `tookMs` shows whether the wait was too long. */
export async function sendWireAttack(port: number, { pieces, isUnfinished }: WireAttack): Promise<WireAnswer> {
  const startedAt = performance.now();
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on("data", (part) => received.push(part));
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  for (const end of ["end", "close", "error"]) socket.on(end, () => resolve());
  socket.setNoDelay(true);
  for (const piece of pieces) socket.write(piece);
  // An HTTP server drops pending requests when the client ends the stream.
  if (isUnfinished) setTimeout(() => socket.end(), PAUSE_MS);
  await Promise.race([closed, sleep(MAX_WAIT_MS)]);
  socket.destroy();
  return { text: Buffer.concat(received).toString("latin1"), tookMs: performance.now() - startedAt };
}

/**
 * Finds what is wrong with a response, if anything. The server itself rejects bytes that are no request, without a
 * body.
 */
export function findWireError({ text, tookMs }: WireAnswer, requests: number): string | undefined {
  if (tookMs > MAX_WAIT_MS - 100) return "no answer";
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})[^\r]*\r\n/g)].map(([, status]) => Number(status));
  const final = statuses.filter((status) => status >= 200);
  if (final.length > requests) return `${final.length} responses to ${requests} requests`;
  if (final.some((status) => status >= 500)) return "fails";
  if (final.length !== 1 || (final[0] ?? 0) < 400) return undefined;
  const content = text.slice(text.indexOf("\r\n\r\n") + 4);
  return /^(0\r\n\r\n)?$/.test(content) || /"detail":.*"code":.*"request_id":/.test(content)
    ? undefined
    : "another shape";
}
