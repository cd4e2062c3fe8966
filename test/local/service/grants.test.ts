import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { ports, usePorts } from "../../../lib/runtime/ports.ts";
import { TestService } from "../../support/service.ts";
import { Receiver } from "./receiver.ts";
import { Strangers } from "./strangers.ts";
import { GrantWatch } from "./used-grants.ts";
import { wholeStory } from "./whole-story.ts";

let service: TestService;
let strangers: Strangers;
let receiver: Receiver;
beforeAll(async () => {
  service = await TestService.start();
  const { clock } = service.cloud;
  usePorts({ ...ports(), clock: { now: () => clock.now() + aheadMs } });
  const recoversAt = service.cloud.clock.now() + 3 * 3_600_000;
  // History is refused for good, all else for some hours.
  receiver = await Receiver.start(service, (_, { event_type }) =>
    event_type.startsWith("historical.") || service.cloud.clock.now() < recoversAt ? 500 : 204,
  );
});
afterAll(async () => {
  usePorts(undefined);
  await receiver.stop();
  await service.stop();
});

let aheadMs = 0;

/**
 * All functions of this process trust what one of them has read of a key for a minute; here each is to read it. For them
 * alone it is a minute later, so that nothing else has to happen meanwhile.
 */
const forget = async () => {
  aheadMs += 61_000;
};

/**
 * Grants that no story uses: the code that a demo connection and pulls share with ingestion keeps big batches in the
 * bucket, and those of simulated providers are small.
 */
const unused = [
  "pullHistory s3:putobject",
  "pullChanges s3:putobject",
  "pullConnection s3:putobject",
  "connectDemoProvider s3:putobject",
];

test("every grant of every function is used", { timeout: 1_500_000 }, async () => {
  const watch = new GrantWatch(service.cloud);
  strangers = await Strangers.among(service);
  await wholeStory({ service, receiver, forget });
  expect((await watch.unused()).map((grant) => grant.replace(/ arn:\S+$/, ""))).toEqual(unused);
});

/** Strangers have come past all of the story, see {@link Strangers}. */
test("ids of another team are answered as ids of nobody, on every route", { timeout: 900_000 }, async () => {
  const { findings, compared, asked, continued } = strangers;
  expect(findings.leaks).toEqual([]);
  const keyed = endpoints.filter(({ auth }) => auth !== "none");
  // Whoever may have an answer has got it each time after strangers were refused: else that would prove nothing.
  const unproven = keyed.filter(({ operationId }) => !compared.has(operationId) && !asked.has(operationId));
  expect(unproven.map(({ operationId }) => operationId)).toEqual([]);
  const named = keyed.filter(({ path }) => /\{\w*_id(_or_slug)?\}/.test(path));
  expect(named.filter(({ operationId }) => !compared.has(operationId)).map(({ path }) => path)).toEqual([]);
  expect(continued.size).toBeGreaterThan(5);
  expect(findings.comparisons).toBeGreaterThan(1_000);
});

test("ids of another team are answered as ids of nobody once what they named is erased", {
  timeout: 900_000,
}, async () => {
  const { comparisons } = strangers.findings;
  await strangers.askAgain();
  expect(strangers.findings.leaks).toEqual([]);
  expect(strangers.findings.comparisons - comparisons).toBeGreaterThan(500);
});
