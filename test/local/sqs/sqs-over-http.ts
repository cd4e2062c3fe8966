import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { onTestFinished } from "vitest";
import type { QueueEngine } from "../../../lib/local/sqs/queue-engine.ts";
import { SqsError } from "../../../lib/local/sqs/sqs-error.ts";
import { handleSqs } from "../../../lib/local/sqs/sqs-protocol.ts";
import { openEngine, ordersQueue, stoppedClock } from "./queue-fixture.ts";

/** Starts a minimal HTTP server for the engine, and an AWS SDK client for it. */
async function connect(engine: QueueEngine): Promise<SQSClient> {
  const server = createServer(async (request, response) => {
    const action = String(request.headers["x-amz-target"]).replace("AmazonSQS.", "");
    const answer = (status: number, body: object, headers = {}) =>
      response
        .writeHead(status, { "content-type": "application/x-amz-json-1.0", ...headers })
        .end(JSON.stringify(body));
    try {
      answer(200, await handleSqs(engine, action, await json(request)));
    } catch (error) {
      if (error instanceof SqsError) answer(error.status, error.body, error.headers);
      else answer(500, { message: String(error) });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const client = new SQSClient({
    endpoint: `http://127.0.0.1:${address.port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return client;
}

/** Starts an engine on a stopped clock with an SDK client, and shortcuts for the queue `orders`. */
export async function startWithClient() {
  const clock = stoppedClock();
  const engine = openEngine(clock);
  const client = await connect(engine);
  const send = (MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl: ordersQueue.url, MessageBody }));
  const receive = async (options: Partial<ReceiveMessageCommand["input"]> = {}) => {
    const { Messages } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: ordersQueue.url, MaxNumberOfMessages: 10, ...options }),
    );
    return Messages;
  };
  return { clock, engine, client, send, receive };
}
