import { VirtualClock } from "../../../lib/local/clock.ts";
import type { QueueDefinition } from "../../../lib/local/sqs/queue-definition.ts";
import { QueueEngine } from "../../../lib/local/sqs/queue-engine.ts";

// Runs as its own process: `node send-until-killed.ts <database file> <queue definition as JSON>`.
// Sends messages one by one until it is killed, and prints the id of each message after its send.
const [path, definition] = process.argv.slice(2);
const engine = new QueueEngine(path!, new VirtualClock());
const queue = JSON.parse(definition!) as QueueDefinition;
engine.createQueue(queue);
for (let count = 0; ; count++) {
  const id = engine.send(queue.url, { body: `message ${count}` });
  await new Promise((resolve) => process.stdout.write(`${id}\n`, resolve));
}
