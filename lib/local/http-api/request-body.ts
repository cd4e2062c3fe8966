import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request and holds at most `maxBytes` of it in memory.
 * @returns undefined for a longer body. The function still reads it to the end: a client whose upload is cut off may
 * never read the response.
 * @throws Error when the client aborts the request.
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
  const breakOff = () => reject(new Error("the client aborted the request"));
  request.on("close", breakOff);
  if (request.destroyed) breakOff();
  return promise;
}
