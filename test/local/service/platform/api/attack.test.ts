import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../../../functions/index.ts";
import { listAttackTargets } from "../../../../attack/attack-targets.ts";
import { runAttack } from "../../../../attack/run-attack.ts";
import { guardedKinds } from "../../../../attack/wrong-credentials.ts";
import { TestService } from "../../../../support/service.ts";

/** `npm run attack` takes any seed. */
const SEED = 20_260_501;
/** Routes of the share in `npm test`. */
const FEW_ROUTES = 10;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

test("an attack covers every route with a credential and every kind of credential", () => {
  const attacked = new Set(listAttackTargets(service).map(({ contract }) => contract.operationId));
  const guarded = endpoints.filter(({ auth }) => auth !== "none");
  expect(guarded.filter(({ operationId }) => !attacked.has(operationId))).toEqual([]);
  expect(new Set(guarded.map(({ auth }) => auth))).toEqual(new Set(guardedKinds));
});

test(`wrong credentials are refused on ${FEW_ROUTES} routes, with whatever ids (npm run attack)`, async () => {
  const { findings, credentials } = await runAttack(service, {
    seed: SEED,
    parts: ["credentials"],
    routes: FEW_ROUTES,
  });
  expect(findings).toEqual([]);
  expect(credentials).toBeGreaterThan(10 * FEW_ROUTES);
});

test("wrong credentials are refused, ids of another team are unknown, and credentials end in time, on every route", {
  tags: "deep",
  timeout: 600_000,
}, async () => {
  const result = await runAttack(service, { seed: SEED, parts: ["credentials", "ids", "ends"] });
  expect(result.findings).toEqual([]);
  expect(result.credentials).toBeGreaterThan(10 * result.routes);
  expect(result.pairs).toBeGreaterThan(500);
  expect(result.distinguished).toBeGreaterThan(60);
  expect(result.ended).toBeGreaterThan(70);
});
