import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request, keeping at most `maxBytes` of it in memory.
 * @returns undefined for a body that is longer. It is read to its end all the same and dropped: a client that is cut
 * off while it sends may never see the answer.
 * @throws Error when the request breaks off.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  let chunks: Buffer[] = [];
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received <= maxBytes) chunks.push(chunk);
    else chunks = [];
  });
  request.on("end", () => resolve(received <= maxBytes ? Buffer.concat(chunks) : undefined));
  const breakOff = () => reject(new Error("the request broke off"));
  request.on("close", breakOff);
  if (request.destroyed) breakOff();
  return promise;
}
