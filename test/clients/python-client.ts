import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import * as z from "zod";
import type { Outcome, PublicClient } from "./public-client.ts";

const PYTHON = "node_modules/.cache/public-clients/python/bin/python";

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts names of fields to those of the wire, dates to text, and bytes to base64. */
function toWire(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, one]) => [snakeCase(name), toWire(one)]);
  return Object.fromEntries(fields);
}

/** Starts a process that calls the client `className` of the module `moduleName`. */
export async function startPythonClient(
  moduleName: string,
  className: string,
  baseUrl: string,
  apiKey: string,
): Promise<PublicClient> {
  const script = ["test/clients/public_clients.py", moduleName, className, baseUrl, apiKey];
  const python = spawn(PYTHON, script, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the process of ${moduleName} ended`);
    return JSON.parse(value);
  };
  return {
    methods: z.array(z.string()).parse(await read()),
    call: async (method, request) => {
      python.stdin.write(`${JSON.stringify({ method, request: toWire(request) })}\n`);
      return (await read()) as Outcome;
    },
    stop: () => python.stdin.end(),
  };
}
