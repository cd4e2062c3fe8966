// @module-tag share
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateWebhookSecret, signWebhook } from "../../../lib/crypto/webhook-signature.ts";
import { findFreePort } from "../../../lib/local/free-port.ts";
import { isDeep } from "../../support/depth.ts";
import { readGuide, readGuideFile } from "./read-guide.ts";
import { Terminal } from "./terminal.ts";

/** Behavior of the receivers that docs/guides/verify-webhooks.md prints. */

const PAGE = "docs/guides/verify-webhooks.md";
const SECRET = generateWebhookSecret((length) => Buffer.alloc(length, 7));
const OTHER_SECRET = generateWebhookSecret((length) => Buffer.alloc(length, 8));
const BODY = '{ "event_type": "daily.data.heartrate.created",  "data": { "value": 61.0, "note": "größer" } }';
const nowS = () => Math.floor(Date.now() / 1000);

/** The samples, with the program that runs each and its command, in which `$PORT` stands for the port. */
const receivers = [
  { name: "Express", program: "node", command: "node express-app.ts" },
  { name: "Next.js", program: "node", command: "node serve-module.mjs ./app/webhooks/route.ts $PORT" },
  { name: "Lambda", program: "node", command: "node serve-module.mjs ./lambda.ts $PORT" },
  { name: "FastAPI", program: "python3", command: "python3 serve_app.py $PORT" },
  { name: "Go", program: "go", command: "go run main.go" },
] as const;

/** What a sample states about the signature, for machines without the program that runs it. */
const statedAlgorithm: Readonly<Partial<Record<string, { file: string; parts: readonly string[] }>>> = {
  FastAPI: { file: "webhooks.py", parts: ['"whsec_"', "{event_id}.{timestamp}.", "hashlib.sha256", "300", 'b"v1,"'] },
  Go: { file: "main.go", parts: ['"whsec_"', "%s.%s.%s", "sha256.New", "300", '"v1,"'] },
};

/** `npm run test:deep` runs Go: its first run on a machine compiles the standard library, for a minute. */
function isAvailable(program: string): boolean {
  if (program === "go" && !isDeep) return false;
  try {
    execFileSync(program, [program === "go" ? "version" : "--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tributary-samples-"));
  cpSync("test/local/guides/stand-ins", folder, { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  mkdirSync(join(folder, "node_modules/express"));
  cpSync("test/local/guides/stand-ins/express.mjs", join(folder, "node_modules/express/index.mjs"));
  writeFileSync(join(folder, "node_modules/express/package.json"), '{ "exports": "./index.mjs" }');
  symlinkSync(resolve("node_modules/standardwebhooks"), join(folder, "node_modules/standardwebhooks"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the files of the page, with a port of their own. */
function writeSamples(port: number): void {
  for (const { file, text } of readGuide(PAGE).filter(({ kind }) => kind === "file")) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text.replaceAll("4000", String(port)));
  }
}

/** Sends a webhook. @returns the status of the answer. */
async function send(port: number, id: string, { secrets = [SECRET], atS = nowS(), sent = BODY } = {}) {
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(atS),
    "webhook-signature": signWebhook(secrets, id, atS, BODY),
  };
  return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", headers, body: sent })).status;
}

describe.each(receivers)("the receiver for $name", ({ name, program, command }) => {
  if (!isAvailable(program)) {
    const { file, parts } = statedAlgorithm[name] ?? { file: "", parts: [] };
    test(`states the algorithm, because ${program} is not available`, () => {
      const text = readGuideFile(PAGE, file);
      expect(parts.filter((part) => !text.includes(part))).toEqual([]);
    });
    return;
  }

  let terminal: Terminal;
  let port: number;
  beforeAll(async () => {
    port = await findFreePort();
    writeSamples(port);
    terminal = new Terminal(folder);
    terminal.begin(`export SECRET=${SECRET} PORT=${port}; ${command}`);
    const isUp = () => fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", body: "" }).then(Boolean);
    while (!(await isUp().catch(() => false)) && !terminal.isEnded) await sleep(50);
  });
  afterAll(() => terminal.stop());

  test("accepts a signed request, also with another signature beside it", async () => {
    expect(await send(port, "evt_1")).toBe(204);
    expect(await send(port, "evt_2", { secrets: [OTHER_SECRET, SECRET] })).toBe(204);
    await terminal.waitForOutput("daily.data.heartrate.created\ndaily.data.heartrate.created");
  });

  test("accepts a repeated request and handles it once", async () => {
    expect(await send(port, "evt_3")).toBe(204);
    await terminal.waitForOutput("daily.data.heartrate.created");
    expect(await send(port, "evt_3")).toBe(204);
    expect(await send(port, "evt_4")).toBe(204);
    await terminal.waitForOutput("daily.data.heartrate.created");
    expect(terminal.unreadOutput.trim()).toBe("");
  });

  test.each([
    ["another secret", { secrets: [OTHER_SECRET] }],
    ["a changed body", { sent: BODY.replace("61.0", "61") }],
    ["an old timestamp", { atS: nowS() - 3_600 }],
    ["a future timestamp", { atS: nowS() + 3_600 }],
  ])("rejects a request with %s", async (_, change) => {
    expect(await send(port, "evt_5", change)).toBe(401);
  });
});
