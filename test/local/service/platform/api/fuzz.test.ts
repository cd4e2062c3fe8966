// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { FuzzRandom } from "../../../../fuzz/fuzz-random.ts";
import { runFuzz } from "../../../../fuzz/run-fuzz.ts";
import { findWireError, sendWireAttack } from "../../../../fuzz/send-wire-attack.ts";
import { drawWireAttack } from "../../../../fuzz/wire-attacks.ts";
import { chooseCount, isDeep } from "../../../../support/depth.ts";
import { TestService } from "../../../../support/service.ts";

/** `npm run fuzz` sends more requests, with any seed. */
const REQUESTS = chooseCount(600, 20_000, 50_000);
const CONNECTIONS = chooseCount(30, 500);
/** Least requests with each usual status. */
const MIN_PER_STATUS = chooseCount(1, 20);
/** The usual statuses. So few requests may contain no batch to store, and no body that is too large. */
const USUAL_STATUSES = [200, 400, 401, 404, 422, ...(isDeep ? [202, 413] : [])];
/** Least share of routes on which a request passes validation. */
const MIN_ANSWERED = isDeep ? 1 / 2 : 1 / 8;
const SEED = 20_260_501;
/** A slow request may be the machine's fault, so it is sent a second time. */
const LONG_MS = 1_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

test(`none of ${REQUESTS} requests fails the service, hangs, or is refused in another shape (npm run fuzz -- --requests ${REQUESTS} --seed ${SEED})`, {
  timeout: 1_200_000,
}, async () => {
  const { failures, statuses, answered, routes } = await runFuzz(service, { requests: REQUESTS, seed: SEED });
  expect(failures).toEqual([]);
  expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  const rare = USUAL_STATUSES.filter((status) => (statuses[status] ?? 0) < MIN_PER_STATUS);
  expect([rare, statuses]).toEqual([[], expect.anything()]);
  // On most routes some requests pass validation, so the test reaches more than the first check.
  expect(answered).toBeGreaterThan(routes * MIN_ANSWERED);
});

test("no accepted message moves to a dead-letter queue, and no prototype changes", {
  timeout: 600_000,
}, async () => {
  await service.settle();
  await service.advance(60 * 60 * 1000);
  const { body } = await service.call("GET", "/_local/resources");
  expect(body.dead_letters.filter(({ visible }: { visible: number }) => visible > 0)).toEqual([]);
  expect("polluted" in Object.prototype).toBe(false);
});

test(`none of ${CONNECTIONS} connections that break HTTP fails the service, hangs, or gets more responses than requests`, {
  timeout: 600_000,
}, async () => {
  const port = Number(new URL(service.baseUrl).port);
  const credential = `x-service-api-key: ${service.identity.api_key}`;
  const wrong: unknown[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < CONNECTIONS; index++) {
    const attack = drawWireAttack(new FuzzRandom(SEED, index), credential);
    const first = await sendWireAttack(port, attack);
    const answer = first.tookMs > LONG_MS ? await sendWireAttack(port, attack) : first;
    const what = answer.tookMs > LONG_MS ? "hangs" : findWireError(answer, attack.requests);
    if (what)
      wrong.push({
        seed: SEED,
        index,
        what,
        about: attack.name,
        sent: String(attack.pieces).slice(0, 400),
        got: answer.text.slice(0, 400),
      });
    seen.add(`${attack.name} ${/HTTP\/1\.1 (\d{3})/.exec(answer.text)?.[1]}`);
  }
  expect(wrong).toEqual([]);
  // The server refuses some, the service refuses some, and some are valid.
  expect([...seen].filter((one) => one.endsWith(" 200")).length).toBeGreaterThan(3);
  expect([...seen].filter((one) => one.endsWith(" 400")).length).toBeGreaterThan(10);
  expect((await service.call("GET", "/v2/user")).status).toBe(200);
});
