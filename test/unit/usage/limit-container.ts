import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { updateItem } from "../../../lib/contract/access.ts";
import { usage } from "../../../lib/contract/resources.ts";
import { RequestLeases } from "../../../lib/runtime/callers/request-leases.ts";
import { resolveDependencies } from "../../../lib/runtime/dependencies.ts";

/**
 * One container of the drill as a separate process: node limit-container.ts <limit> <per second> <seconds>. It prints
 * `ready`, reads the start time (epoch ms) from stdin, and prints the admitted requests as JSON.
 */
const [limit = 0, perSecond = 0, seconds = 0] = process.argv.slice(2).map(Number);
const TICK_MS = 5;

let leases = 0;
const { usage: store } = await resolveDependencies([updateItem(usage)]);
const counter = {
  leaseRequests: (...call: Parameters<typeof store.leaseRequests>) => {
    leases++;
    return store.leaseRequests(...call);
  },
  addRequests: (...call: Parameters<typeof store.addRequests>) => store.addRequests(...call),
};
const container = new RequestLeases(counter, () => Date.now());
const accepted = Array.from({ length: seconds }, () => 0);

process.stdout.write("ready\n");
const [line] = await once(process.stdin, "data");
const startMs = Number(line);
await sleep(startMs - Date.now());
const waiting: Promise<void>[] = [];
for (let offered = 0; Date.now() < startMs + seconds * 1000; await sleep(TICK_MS)) {
  const due = Math.floor(((Date.now() - startMs) * perSecond) / 1000);
  for (; offered < due; offered++) {
    waiting.push(
      container.tryAcquire("team", limit).then((isAdmitted) => {
        const second = Math.floor((Date.now() - startMs) / 1000);
        if (isAdmitted && second < seconds) accepted[second] = (accepted[second] ?? 0) + 1;
      }),
    );
  }
}
await Promise.all(waiting);
process.stdout.write(JSON.stringify({ accepted, leases }));
process.exit();
