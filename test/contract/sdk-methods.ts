import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runInThisContext } from "node:vm";
import type { JunctionClient } from "@junction-api/sdk";

/** The public client's package, as installed. */
const packageDirectory = dirname(createRequire(import.meta.url).resolve("@junction-api/sdk"));

/** One call of the public client, `resource.method`. */
export interface SdkMethod {
  readonly name: string;
  /** Makes the call with this request. */
  readonly call: (request: unknown) => Promise<unknown>;
  /** Makes the call exactly as the package's own documentation shows it. */
  readonly callAsDocumented: () => Promise<unknown>;
}

/** Every method of the client, read off the client object itself, so that no release can add one unnoticed. */
export function sdkMethods(client: JunctionClient): SdkMethod[] {
  const examples = documentedCalls();
  return gettersOf(client).flatMap((resource) => {
    const part: object = Reflect.get(client, resource);
    return methodsOf(part).map((method) => {
      const name = `${resource}.${method}`;
      return {
        name,
        call: (request: unknown) => Reflect.apply(Reflect.get(part, method), part, [request]),
        callAsDocumented: () => documentedCall(client, name, examples),
      };
    });
  });
}

function gettersOf(client: object): string[] {
  const properties = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(client));
  return Object.entries(properties).flatMap(([name, { get }]) => (get ? [name] : []));
}

function methodsOf(part: object): string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(part));
  return names.filter((name) => name !== "constructor" && !name.startsWith("_"));
}

/** The `@example` of every method, from the package's type declarations: method name -> expression. */
function documentedCalls(): Map<string, string> {
  const files = globSync("api/resources/*/client/Client.d.ts", { cwd: packageDirectory });
  const declarations = files.map((file) => readFileSync(join(packageDirectory, file), "utf8"));
  const calls = declarations.flatMap((text) => [...text.matchAll(/await (client\.([\w.]+)\([\s\S]*?\))\s*\*\//g)]);
  return new Map(calls.map(([, call = "", name = ""]) => [name, call.replace(/^\s+\* ?/gm, "")]));
}

/** A file to upload where a documented call reads one from a disk. */
const fs = { createReadStream: () => Buffer.from("%PDF-1.7") };

/** Methods that answer a file have no example; this is all that they take. */
const fileRequest = `{
  orderId: "order_id",
  labTestId: "lab_test_id",
  transactionId: "transaction_id",
  numberOfLabels: 1,
  collectionDate: new Date("2026-01-02"),
}`;

async function documentedCall(client: JunctionClient, name: string, examples: Map<string, string>): Promise<unknown> {
  const example = examples.get(name) ?? `client.${name}(${fileRequest})`;
  return runInThisContext(`(client, fs) => ${example}`)(client, fs);
}
