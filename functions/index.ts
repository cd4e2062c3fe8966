import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ConsumerContract } from "../lib/contract/consumer.ts";
import type { EndpointContract } from "../lib/contract/endpoint.ts";

type Contract = EndpointContract | ConsumerContract;

/** Files of functions, sorted by path: `<tag>/<operation>.ts`. */
const files = globSync("*/*.ts", { cwd: import.meta.dirname }).toSorted();

/** Imports a contract. Its file loads before stacks are synthesized or functions bundled, never inside a function. */
async function importContract(file: string): Promise<Contract> {
  // A URL, because Windows cannot import an absolute path.
  const { contract } = await import(pathToFileURL(join(import.meta.dirname, file)).href);
  return contract;
}

/** Every function of the service, read from this folder. Stacks, OpenAPI, bundles and tests derive from this list. */
export const contracts: readonly Contract[] = await Promise.all(files.map(importContract));

/** The routes. */
export const endpoints = contracts.filter((contract) => contract.kind === "endpoint");

/** The functions that queues, streams, schedules and state machines invoke. */
export const consumers = contracts.filter((contract) => contract.kind === "consumer");
