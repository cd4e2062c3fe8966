import { afterAll, beforeAll, expect, test } from "vitest";
import { ports, usePorts } from "../../lib/runtime/ports.ts";
import { Receiver } from "../local/service/receiver.ts";
import { wholeStory } from "../local/service/whole-story.ts";
import { TestService } from "../support/service.ts";
import { everyMode } from "./choices.ts";
import { Explorer } from "./explorer.ts";

const LIMIT_MS = 3 * 3_600_000;

let service: TestService;
let receiver: Receiver;
let aheadMs = 0;
beforeAll(async () => {
  service = await TestService.start();
  const { clock } = service.cloud;
  usePorts({ ...ports(), clock: { now: () => clock.now() + aheadMs } });
  const recoversAt = clock.now() + 3 * 3_600_000;
  receiver = await Receiver.start(service, (_, { event_type }) =>
    event_type.startsWith("historical.") || clock.now() < recoversAt ? 500 : 204,
  );
});
afterAll(async () => {
  usePorts(undefined);
  await receiver.stop();
  await service.stop();
});

test("no single fault of a call leaves anything half done", { timeout: LIMIT_MS }, async () => {
  const explorer = new Explorer(service, everyMode);
  const forget = async () => {
    aheadMs += 61_000;
  };
  await wholeStory({ service, receiver, forget });
  const seconds = Math.round(process.cpuUsage().user / 1e6);
  const invocations = [...explorer.explored.values()].reduce((total, count) => total + count, 0);
  console.info(
    `${explorer.cases} faults at ${invocations} invocations (${explorer.unsteady} unsteady) of ${explorer.explored.size} ` +
      `functions, ${seconds} s of CPU.`,
  );
  explorer.end();
  expect(explorer.findings).toEqual([]);
});
