import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FunctionError } from "../../../lib/local/functions/function-error.ts";
import { FunctionHost } from "../../../lib/local/functions/function-host.ts";
import type { LocalFunction } from "../../../lib/local/functions/lambda-context.ts";

let directory: string;
let host: FunctionHost;
const clock = { time: 1_000, now: () => clock.time };

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "function-host-"));
  host = new FunctionHost({ clock, localOrigin: "http://127.0.0.1:1" });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  host.close();
  await rm(directory, { recursive: true });
});

/** Registers a function with this source code. */
async function register(name: string, source: string, given: Partial<LocalFunction> = {}): Promise<LocalFunction> {
  const fn = {
    name,
    arn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    directory,
    handler: `${name}.handler`,
    environment: {},
    timeoutS: 3,
    memoryMb: 256,
    ...given,
  };
  await writeFile(join(directory, `${name}.mjs`), source);
  host.register(fn);
  return fn;
}

/** Returns the error of an invocation. */
async function failureOf(name: string): Promise<unknown> {
  return host.invoke(name, {}).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("an invocation", () => {
  test("runs the handler by name and by ARN, and imports its module once on first use", async () => {
    const imported = vi.fn();
    vi.stubGlobal("imported", imported);
    const fn = await register("count", "globalThis.imported(); let calls = 0; export const handler = () => ++calls;");
    expect(imported).not.toHaveBeenCalled();
    expect(await Promise.all([host.invoke("count", {}), host.invoke(fn.arn, {})])).toEqual([1, 2]);
    expect(imported).toHaveBeenCalledTimes(1);
  });

  test("passes event and result as JSON", async () => {
    await register("echo", "export const handler = (e) => ({ keys: Object.keys(e), at: e.at, gone: undefined });");
    const at = new Date(0);
    expect(await host.invoke("echo", { at, left: undefined })).toStrictEqual({ keys: ["at"], at: at.toJSON() });
  });

  test("receives a copy of the event", async () => {
    await register("change", "export const handler = (e) => { e.list.push(1); };");
    const event = { list: [] };
    expect(await host.invoke("change", event)).toBeNull();
    expect(event).toEqual({ list: [] });
  });

  test("gets a Lambda context whose remaining time follows the clock", async () => {
    const source = `export const handler = (_event, context) => {
      const before = context.getRemainingTimeInMillis();
      globalThis.passTime();
      return { ...context, before, after: context.getRemainingTimeInMillis() };
    };`;
    vi.stubGlobal("passTime", () => {
      clock.time += 1_200;
    });
    const fn = await register("context", source);
    expect(await host.invoke("context", {})).toEqual({
      callbackWaitsForEmptyEventLoop: true,
      functionName: "context",
      functionVersion: "$LATEST",
      invokedFunctionArn: fn.arn,
      memoryLimitInMB: "256",
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      logGroupName: "/aws/lambda/context",
      logStreamName: "local",
      before: 3_000,
      after: 1_800,
    });
  });

  test("is counted as running until it returns", async () => {
    const started = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    vi.stubGlobal("untilReleased", () => {
      started.resolve();
      return released.promise;
    });
    await register("wait", "export const handler = () => globalThis.untilReleased();");
    const first = host.invoke("wait", {});
    const order: string[] = [];
    const settled = host.idle().then(() => order.push("idle"));
    await started.promise;
    expect(host.inFlight).toBe(1);
    order.push("released");
    released.resolve();
    await Promise.all([first, settled]);
    expect(order).toEqual(["released", "idle"]);
    expect(host.inFlight).toBe(0);
  });
});

describe("an error", () => {
  test.each([
    ["throw new TypeError('no')", "TypeError", "no"],
    ["throw 'text'", "string", "text"],
    ["return 1n", "TypeError", expect.stringContaining("BigInt")],
    ["return Promise.reject(new RangeError('late'))", "RangeError", "late"],
  ])("of a handler that does %j has its type and message", async (body, errorType, errorMessage) => {
    const name = `fail${errorType}${body.length}`;
    await register(name, `export const handler = async () => { ${body}; };`);
    const failure = await failureOf(name);
    expect(failure).toBeInstanceOf(FunctionError);
    expect(failure).toMatchObject({ errorType, errorMessage });
  });

  test("at the import of the module is reported as an import error", async () => {
    await register("broken", "import 'no-such-package'; export const handler = () => 1;");
    expect(await failureOf("broken")).toMatchObject({ errorType: "Runtime.ImportModuleError" });
  });

  test("for a missing handler is reported as such", async () => {
    await register("other", "export const other = () => 1;");
    expect(await failureOf("other")).toMatchObject({ errorType: "Runtime.HandlerNotFound" });
  });

  test("at the timeout ends the invocation", async () => {
    await register("endless", "export const handler = () => new Promise(() => {});", { timeoutS: 0.05 });
    const errorMessage = expect.stringContaining("Task timed out after 0.05 seconds");
    expect(await failureOf("endless")).toMatchObject({ errorType: "Sandbox.Timedout", errorMessage });
    expect(host.inFlight).toBe(0);
  });

  test("for an unknown function is an error of the caller", async () => {
    await expect(host.invoke("nobody", {})).rejects.toThrow("the function nobody does not exist");
  });
});

describe("registration", () => {
  afterEach(() => {
    for (const name of ["HOST_TEST_A", "HOST_TEST_B"]) delete process.env[name];
  });

  test("sets the environment of a function", async () => {
    await register("env", "export const handler = () => process.env.HOST_TEST_A;", {
      environment: { HOST_TEST_A: "1" },
    });
    expect(await host.invoke("env", {})).toBe("1");
  });

  test("refuses a second value of one variable, names it with both functions, and sets nothing", async () => {
    await register("one", "", { environment: { HOST_TEST_A: "1" } });
    await register("same", "", { environment: { HOST_TEST_A: "1" } });
    const second = register("two", "", { environment: { HOST_TEST_B: "2", HOST_TEST_A: "2" } });
    await expect(second).rejects.toThrow("HOST_TEST_A has different values in one and two");
    expect([process.env.HOST_TEST_A, process.env.HOST_TEST_B]).toEqual(["1", undefined]);
  });

  test("refuses a used name", async () => {
    await register("twice", "");
    await expect(register("twice", "")).rejects.toThrow("twice is registered already");
  });
});

test("console output is logged with the name of its function, and not printed to the console", async () => {
  const written = vi.spyOn(console, "info").mockReturnValue(undefined);
  const lines: string[][] = [];
  host.close();
  host = new FunctionHost({ clock, localOrigin: "http://127.0.0.1:1", log: (...line) => lines.push(line) });
  await register("talk", "export const handler = (e) => console.info('received %s', e);");
  await Promise.all([host.invoke("talk", "one"), host.invoke("talk", "two")]);
  console.info("outside");
  expect(lines).toEqual([
    ["talk", "received one"],
    ["talk", "received two"],
  ]);
  expect(written.mock.calls).toEqual([["outside"]]);
  host.close();
  expect(console.info).toBe(written);
  written.mockRestore();
});
