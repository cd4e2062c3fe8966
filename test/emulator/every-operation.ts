import { deepEqual, ok } from "node:assert/strict";
import type { Deployment } from "./deployment.ts";
import type { Steps } from "./steps.ts";

const CONCURRENT_CALLS = 4;
const SERVER_ERROR = 500;
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const METHODS = ["get", "post", "put", "patch", "delete"];

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
}

/** Ids of things that exist, by the name of the path parameter. */
export type KnownIds = Readonly<Record<string, string>>;

/**
 * Calls every operation of the service's own OpenAPI document. Reads name what exists. Writes name nothing that exists and
 * have an empty body, so they change nothing.
 */
export async function callEveryOperation(steps: Steps, deployment: Deployment, known: KnownIds): Promise<void> {
  const { paths } = await deployment.call("GET", "/openapi.json");
  const calls = Object.entries<Record<string, Operation>>(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => (operations[method] ? [{ method, path, operation: operations[method] }] : [])),
  );
  await steps.run(`none of the ${calls.length} operations answers with a server error`, async () => {
    ok(calls.length > 200);
    const failed: string[] = [];
    const worker = async () => {
      for (let call = calls.shift(); call; call = calls.shift()) {
        const { method, path, operation } = call;
        const status = await callOperation(deployment, method, fillPath(path, method, operation, known));
        if (status >= SERVER_ERROR) failed.push(`${method} ${path} ${status}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_CALLS }, worker));
    deepEqual(failed, []);
  });
}

function fillPath(path: string, method: string, { parameters = [] }: Operation, known: KnownIds): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const isPlace = ["org_id", "env", "region"].includes(name);
    return (method === "get" || isPlace ? known[name] : undefined) ?? UNKNOWN_ID;
  });
  const asksDay = method === "get" && parameters.some(({ name }) => name === "start_date");
  return asksDay ? `${filled}?start_date=${known.start_date}&end_date=${known.start_date}` : filled;
}

async function callOperation(deployment: Deployment, method: string, path: string): Promise<number> {
  const body = method === "get" || method === "delete" ? undefined : {};
  const [, own] = path.split(`/v1/org/${deployment.orgId}`);
  const send = own === undefined ? deployment.request : deployment.requestManagement;
  return (await send.call(deployment, method.toUpperCase(), own ?? path, body)).status;
}
