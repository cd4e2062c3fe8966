import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { update } from "../../../lib/contract/access.ts";
import { usage } from "../../../lib/contract/resources.ts";
import { RequestLeases } from "../../../lib/runtime/request-leases.ts";
import { usesOf } from "../../../lib/runtime/uses.ts";

/**
 * One container of the drill as a separate process: node limit-container.ts <limit> <per second> <seconds>. It prints
 * `ready`, reads the start time (epoch ms) from stdin, and prints the admitted requests as JSON.
 */
const [limit = 0, perSecond = 0, seconds = 0] = process.argv.slice(2).map(Number);
const TICK_MS = 5;

let leases = 0;
const { usage: store } = await usesOf([update(usage)]);
const counter = {
  takeRequests: (...call: Parameters<typeof store.takeRequests>) => {
    leases++;
    return store.takeRequests(...call);
  },
  addRequests: (...call: Parameters<typeof store.addRequests>) => store.addRequests(...call),
};
const container = new RequestLeases(counter, () => Date.now());
const accepted = Array.from({ length: seconds }, () => 0);

process.stdout.write("ready\n");
const [told] = await once(process.stdin, "data");
const startMs = Number(told);
await sleep(startMs - Date.now());
const waiting: Promise<void>[] = [];
for (let offered = 0; Date.now() < startMs + seconds * 1000; await sleep(TICK_MS)) {
  const due = Math.floor(((Date.now() - startMs) * perSecond) / 1000);
  for (; offered < due; offered++) {
    waiting.push(
      container.spend("team", limit).then((isAdmitted) => {
        const second = Math.floor((Date.now() - startMs) / 1000);
        if (isAdmitted && second < seconds) accepted[second] = (accepted[second] ?? 0) + 1;
      }),
    );
  }
}
await Promise.all(waiting);
process.stdout.write(JSON.stringify({ accepted, leases }));
process.exit();
