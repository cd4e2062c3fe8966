import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signWebhook } from "../../../../lib/crypto/webhook-signature.ts";
import { catalogue } from "../../../../lib/events/catalogue/catalogue.ts";
import { exampleEventBody } from "../../../../lib/events/catalogue/example-event.ts";
import { TestService } from "../../../support/service.ts";
import { readGuide } from "../../guides/read-guide.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { RECEIVER_SECRET, type ReceivedWebhook, Receiver } from "./webhook-receiver.ts";

const HOUR_MS = 3_600_000;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

/** A receiver that uses the package, as a team writes it. */
const SAMPLE = `import { type EventOf, isKnownType, verifyWebhook, WebhookVerificationError } from "tributary-events";

export const names: string[] = [];

function nameConnection(event: EventOf<"provider.connection.created">): string {
  return event.data.provider.name;
}

export async function receive(request: Request, secrets: string | string[], now: Date): Promise<Response> {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, secrets, { now });
    switch (event.event_type) {
      case "provider.connection.created":
        names.push(nameConnection(event));
        break;
      case "daily.data.sleep.created": {
        const seconds: number = event.data.total;
        names.push(String(seconds));
        break;
      }
      default:
        if (!isKnownType(event.event_type)) return new Response("unknown", { status: 202 });
    }
    return new Response(event.event_type, { status: 200 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.code, { status: 401 });
    throw error;
  }
}
`;

interface Sample {
  readonly names: string[];
  receive(request: Request, secrets: string | string[], now: Date): Promise<Response>;
}

/** Folders of the package and of the application that installs it. */
const folder = mkdtempSync(join(tmpdir(), "events-package-"));
const [made, application] = [join(folder, "package"), join(folder, "application")];
let service: TestService;
let sample: Sample;
let packed: string[];

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

const compile = () => run(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", "."], application);

beforeAll(async () => {
  run(process.execPath, ["bin/tributary.ts", "events-package", "--out", made], process.cwd());
  const [{ filename, files }] = JSON.parse(run("npm", ["pack", "--json"], made));
  packed = files.map(({ path }: { path: string }) => path);
  mkdirSync(application);
  writeFileSync(join(application, "package.json"), JSON.stringify({ type: "module", private: true }));
  const options = { strict: true, noUncheckedIndexedAccess: true, target: "es2022", module: "nodenext" };
  const compilerOptions = { ...options, lib: ["es2022", "dom"], types: [], outDir: "out" };
  writeFileSync(join(application, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  writeFileSync(join(application, "sample.ts"), SAMPLE);
  const guide = readGuide("docs/guides/verify-webhooks.md").find(({ file }) => file === "typed-receiver.ts");
  writeFileSync(join(application, "guide.ts"), guide?.text ?? "");
  run("npm", ["install", join(made, filename), "--offline", "--no-audit", "--no-fund"], application);
  compile();
  sample = await import(pathToFileURL(join(application, "out/sample.js")).href);
  service = await TestService.start();
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const toRequest = (text: string, headers: ReceivedWebhook["headers"]) =>
  new Request("https://receiver.example/hook", { method: "POST", headers: headers as never, body: text });

/** Creates an endpoint of the first team whose receiver answers as the sample does. */
async function receiveWithSample() {
  const answers: [number, string][] = [];
  const receiver: Receiver = await Receiver.start(service, async (count) => {
    const { text, headers, at } = receiver.received[count - 1]!;
    const answer = await sample.receive(toRequest(text, headers), RECEIVER_SECRET, new Date(at));
    answers.push([answer.status, await answer.text()]);
    return answer.status;
  });
  const { org_id, team_id } = service.identity;
  const base = `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`;
  const { status, body } = await service.manage("POST", base, { body: { url: receiver.url, secret: RECEIVER_SECRET } });
  expect(status).toBe(201);
  return { receiver, answers, path: `${base}/${body.id}` };
}

describe("the package", () => {
  test("contains compiled code and types only, and needs no other package", () => {
    expect(packed.filter((path) => !/^(?:dist\/[\w-]+\.(?:js|d\.ts)|package\.json|README\.md)$/.test(path))).toEqual(
      [],
    );
    const lock = JSON.parse(readFileSync(join(application, "package-lock.json"), "utf8"));
    expect(Object.keys(lock.packages)).toEqual(["", "node_modules/tributary-events"]);
  });

  test("has every type of the catalogue, and its types accept the example of each", { tags: "deep" }, () => {
    const examples = catalogue.map(({ type }) => {
      const body = exampleEventBody(type, service.identity.team_id);
      return `export const ${type.replaceAll(/\W/g, "_")}: EventOf<${JSON.stringify(type)}> = ${body};`;
    });
    const head = 'import { type EventOf, eventTypes } from "tributary-events";\nexport const types = eventTypes;\n';
    writeFileSync(join(application, "examples.ts"), `${head}${examples.join("\n")}\n`);
    compile();
    const listed = run(
      process.execPath,
      ["-p", "import('./out/examples.js').then((m) => console.log(JSON.stringify(m.types)))"],
      application,
    );
    expect(JSON.parse(listed.slice(listed.indexOf("["), listed.lastIndexOf("]") + 1))).toEqual(
      catalogue.map(({ type }) => type),
    );
  });

  test.each([
    ["another type of data", 'const id: number = ({} as EventOf<"labtest.order.created">).data.id; export { id };'],
    ["an unknown type of event", 'export type Wrong = EventOf<"labtest.order.renamed">;'],
    ["data of a type that was not checked", "export const read = (event: TributaryEvent) => event.data.total;"],
  ])("makes the compiler refuse %s", { tags: "deep" }, (_, line) => {
    const file = join(application, "wrong.ts");
    writeFileSync(
      file,
      `import type { EventOf, TributaryEvent } from "tributary-events";\n${line}\nexport type Used = [EventOf<"labtest.order.created">, TributaryEvent];\n`,
    );
    expect(compile).toThrow(/wrong\.ts/);
    rmSync(file);
  });
});

describe("a receiver with the package", () => {
  test("works as the guide prints it", async () => {
    const guide = await import(pathToFileURL(join(application, "out/guide.js")).href);
    const body = exampleEventBody("labtest.order.created", service.identity.team_id);
    const seconds = Math.floor(Date.now() / 1_000);
    const signature = signWebhook([RECEIVER_SECRET], "evt_guide", seconds, body);
    const headers = { "webhook-id": "evt_guide", "webhook-timestamp": `${seconds}`, "webhook-signature": signature };
    expect((await guide.receive(toRequest(body, headers), [OTHER_SECRET, RECEIVER_SECRET])).status).toBe(204);
    expect((await guide.receive(toRequest(`${body} `, headers), RECEIVER_SECRET)).status).toBe(401);
  });

  test("takes real webhooks of every type", { tags: "deep" }, async () => {
    const { receiver, answers, path } = await receiveWithSample();
    const user_id = await service.createUser("whose events are typed");
    const demo = { body: { user_id, provider: "oura" } };
    expect((await service.call("POST", "/v2/link/connect/demo", demo)).status).toBe(200);
    const heartrate = createHeartRates("2026-05-01T08:00:00.000Z", 3);
    await ingestBatch(service, user_id, { heartrate });
    // The histories end once their data is stored.
    await service.advance(HOUR_MS);
    const real = new Set(answers.map(([, type]) => type));
    expect([...real]).toEqual(
      expect.arrayContaining([
        "provider.connection.created",
        "historical.data.activity.created",
        "daily.data.heartrate.created",
      ]),
    );
    expect(sample.names).toContain("Oura");
    for (const { type } of catalogue) {
      expect((await service.manage("POST", `${path}/test`, { body: { event_type: type } })).status).toBeLessThan(300);
    }
    await service.settle();
    expect(answers.filter(([status]) => status !== 200)).toEqual([]);
    expect([...new Set(answers.map(([, type]) => type))].toSorted()).toEqual(
      catalogue.map(({ type }) => type).toSorted(),
    );
    await service.manage("DELETE", path);
    await receiver.stop();
  });

  test("refuses changed, old, early and wrongly signed ones with a reason, and takes a rotated secret", async () => {
    const { receiver, path } = await receiveWithSample();
    await service.manage("POST", `${path}/test`, { body: { event_type: "labtest.order.created" } });
    await service.settle();
    const { text, headers, at } = receiver.received.find(({ body }) => body.event_type === "labtest.order.created")!;
    const ask = async (given: { text?: string; headers?: object; now?: number; secrets?: string | string[] }) => {
      const sent = toRequest(given.text ?? text, { ...headers, ...given.headers } as never);
      const answer = await sample.receive(sent, given.secrets ?? RECEIVER_SECRET, new Date(given.now ?? at));
      return [answer.status, await answer.text()];
    };
    const [taken, mismatch] = [
      [200, "labtest.order.created"],
      [401, "signature_mismatch"],
    ];
    expect(await ask({})).toEqual(taken);
    expect(await ask({ secrets: [OTHER_SECRET, RECEIVER_SECRET] })).toEqual(taken);
    expect(await ask({ text: text.replace("created", "updated") })).toEqual(mismatch);
    expect(await ask({ secrets: OTHER_SECRET })).toEqual(mismatch);
    expect(await ask({ headers: { "webhook-id": "evt_other" } })).toEqual(mismatch);
    expect(await ask({ headers: { "webhook-signature": "v2,abc v1,???" } })).toEqual(mismatch);
    expect(await ask({ now: at + 301_000 })).toEqual([401, "timestamp_out_of_tolerance"]);
    expect(await ask({ now: at - 301_000 })).toEqual([401, "timestamp_out_of_tolerance"]);
    expect(await ask({ now: at + 299_000 })).toEqual(taken);
    expect(await ask({ headers: { "webhook-timestamp": "soon" } })).toEqual([401, "invalid_header"]);
    expect(await ask({ secrets: "whsec_" })).toEqual([401, "invalid_secret"]);
    await receiver.stop();
    await service.manage("DELETE", path);
  });

  test("reads either family of headers, and does not mix them", async () => {
    const { receiver, path } = await receiveWithSample();
    await service.manage("POST", `${path}/test`, { body: { event_type: "labtest.order.created" } });
    await service.settle();
    const { text, headers, at } = receiver.received.find(({ body }) => body.event_type === "labtest.order.created")!;
    const ofFamily = (family: string) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(`${family}-`)));
    const ask = async (some: object) =>
      (await sample.receive(toRequest(text, some as never), RECEIVER_SECRET, new Date(at))).text();
    expect(await ask(ofFamily("webhook"))).toBe("labtest.order.created");
    expect(await ask(ofFamily("svix"))).toBe("labtest.order.created");
    const mixed = { "webhook-id": headers["webhook-id"], "svix-signature": headers["svix-signature"] };
    expect(await ask(mixed)).toBe("missing_header");
    await receiver.stop();
    await service.manage("DELETE", path);
  });
});
