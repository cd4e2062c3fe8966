import { describe, expect, test } from "vitest";
import { allRows } from "../contract/all-rows.ts";
import { ContractWorld } from "../contract/contract-world.ts";
import { type Adaptations, olderNodeClient, olderPythonClient, pythonClient } from "./adapted-requests.ts";
import { type CreateRequest, furtherRequests } from "./further-requests.ts";
import { createNodeClient } from "./node-client.ts";
import { foldName, type Outcome, type PublicClient } from "./public-client.ts";
import { startPythonClient } from "./python-client.ts";

interface CheckedClient {
  readonly name: string;
  readonly methods: number;
  readonly start: (baseUrl: string, apiKey: string) => PublicClient | Promise<PublicClient>;
  readonly adaptations: Adaptations;
  /** Methods whose routes the service does not offer: it refuses each with `noRoute`. */
  readonly notOffered: readonly string[];
}

/** The response to an unknown path. */
const noRoute = "404 route_not_found";

/** Payments by patients, and prices of contracts with laboratories, are no part of the service. */
const payments = [
  "checkout.confirm_checkout_session",
  "checkout.create_checkout_session",
  "checkout.create_quote",
  "checkout.get_checkout_session",
  "checkout.get_quote",
  "checkout.refine_quote",
  "lab_tests.estimate_order_set_pricing",
];

const clients: readonly CheckedClient[] = [
  {
    name: "@tryvital/vital-node",
    methods: 197,
    start: (...access) => createNodeClient("@tryvital/vital-node", "VitalClient", ...access),
    adaptations: olderNodeClient,
    notOffered: [],
  },
  {
    name: "vital",
    methods: 197,
    start: (...access) => startPythonClient("vital", "Vital", ...access),
    adaptations: olderPythonClient,
    notOffered: [],
  },
  {
    name: "junction-api-sdk",
    methods: 185,
    start: (...access) => startPythonClient("junction", "Junction", ...access),
    adaptations: pythonClient,
    notOffered: payments,
  },
];

const ofTypeScript = [...allRows].map(([name, { request }]): [string, CreateRequest] => [
  name,
  async (world) => (await request(world)) as object,
]);
const requests = new Map([...ofTypeScript, ...furtherRequests].map(([name, create]) => [foldName(name), create]));

/** Calls every method of a client once. @returns what happened, by method. */
async function callAll(client: PublicClient, adaptations: Adaptations, world: ContractWorld) {
  const adapted = new Map(Object.entries(adaptations).map(([name, adapt]) => [foldName(name), adapt]));
  const outcomes = new Map<string, Outcome>();
  for (const method of client.methods) {
    const create = requests.get(foldName(method));
    if (!create) throw new Error(`${method} has no request`);
    const request = await create(world);
    const adapt = adapted.get(foldName(method));
    outcomes.set(method, await client.call(method, adapt ? await adapt({ ...request }, world) : request));
  }
  return outcomes;
}

/** Why an outcome is a fault, or undefined. */
function faultOf(outcome: Outcome, isOffered: boolean): string | undefined {
  if (outcome.kind === "fault") return outcome.reason;
  if (outcome.kind === "refused") {
    const refusal = `${outcome.status} ${outcome.code}`;
    return !isOffered && refusal === noRoute ? undefined : `${refusal}: ${outcome.reason}`;
  }
  if (!isOffered) return "answered, and is listed as not offered";
  if (outcome.file != null && outcome.file !== "%PDF-") return `no PDF: ${outcome.file}`;
  return outcome.error ?? undefined;
}

describe("a public client calls each of its methods once, and parses the responses:", () => {
  test.each(clients)("$name", { timeout: 300_000 }, async ({ name, methods, start, adaptations, notOffered }) => {
    const world = await ContractWorld.start();
    const client = await start(world.service.baseUrl, world.service.identity.api_key);
    try {
      const outcomes = await callAll(client, adaptations, world);
      const faults = [...outcomes].flatMap(([method, outcome]) => {
        const fault = faultOf(outcome, !notOffered.includes(method));
        return fault === undefined ? [] : [`${method}: ${fault}`];
      });
      const refused = [...outcomes.values()].filter(({ kind }) => kind === "refused").length;
      const answered = [...outcomes.values()].filter(({ kind }) => kind === "answered").length;
      console.log(
        `${name}: ${outcomes.size} methods: ${answered} answered, ${refused} refused, ${faults.length} faults`,
      );
      expect(faults).toEqual([]);
      expect(outcomes.size).toBe(methods);
      expect([...outcomes.keys()]).toEqual(expect.arrayContaining([...notOffered]));
    } finally {
      client.stop();
      await world.stop();
    }
  });
});
