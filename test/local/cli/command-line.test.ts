import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../support/service.ts";

const LAUNCHER = resolve("bin/tributary.mjs");
const ESCAPE = "\u001b";

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await TestService.start();
  folder = mkdtempSync(join(tmpdir(), "tributary-cli-"));
  const { org_id, team_id, api_key, management_key } = service.identity;
  const { baseUrl: base_url, managementUrl: management_url } = service.started.service;
  const local = { base_url, management_url, org_id, team_id, api_key, management_key };
  writeFileSync(join(folder, "local.json"), JSON.stringify(local));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ PATH: process.env.PATH, DATA_DIR: folder });

/** Runs a command in a folder of its own. @returns its exit code and output. */
function tributary(...words: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const options = { env: environment(), cwd: folder };
    execFile(process.execPath, [LAUNCHER, ...words], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Starts a command that runs until something ends it, and waits for its first note. */
/** A running `tail`. It can end before the test waits for it, so the end is observed from its start. */
interface Tail {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown[]>;
  readonly lines: () => string[];
}

async function startTail(...words: string[]): Promise<Tail> {
  const child = spawn(process.execPath, [LAUNCHER, "tail", ...words], { env: environment(), cwd: folder });
  const ended = once(child, "close");
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  await once(child.stderr, "data");
  return { child, ended, lines: () => output.split("\n").filter(Boolean) };
}

describe("the launcher", () => {
  test("prints help and version, without colours into a pipe", { tags: "deep" }, async () => {
    const help = await tributary("--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/^Usage: tributary \[options\] \[command\]\n/);
    expect(help.stdout).not.toContain(ESCAPE);
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await tributary("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect((await tributary("help", "send")).stdout).toContain("Usage: tributary send [options] [file.json]");
  });

  test.each([
    [["tial"], "error: unknown command 'tial'\n(Did you mean tail?)\nUsage: tributary [options] [command]\n"],
    [
      ["cost", "--stagee", "x"],
      "error: unknown option '--stagee'\n(Did you mean --stage?)\nUsage: tributary cost [options]\n",
    ],
    [["send", "--value", "x"], "error: --value must be a number\nUsage: tributary send [options] [file.json]\n"],
    [
      ["smoke", "https://api.example.com"],
      "error: --key or SMOKE_KEY is required\nUsage: tributary smoke [options] <address>\n",
    ],
  ])("refuses %j with exit code 2 and the usage", { tags: "deep" }, async (words, stderr) => {
    expect(await tributary(...words)).toEqual({ code: 2, stdout: "", stderr });
  });

  test("colours only a terminal, or an output that FORCE_COLOR names", { tags: "deep" }, async () => {
    expect((await tributary("tial")).stderr).not.toContain(ESCAPE);
    const forced = spawn(process.execPath, [LAUNCHER, "tial"], { env: { ...environment(), FORCE_COLOR: "1" } });
    const [chunk] = await once(forced.stderr, "data");
    expect(String(chunk)).toContain(`${ESCAPE}[31merror: unknown command`);
  });

  test("reports a failure in one line with exit code 1", { tags: "deep" }, async () => {
    const missing = await tributary("send", "missing.json");
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toMatch(/^ENOENT: no such file or directory, open '.*missing\.json'\n$/);
    writeFileSync(join(folder, "broken.json"), "{");
    expect((await tributary("send", "broken.json", "--user", "x")).stderr).toMatch(
      /^\S+broken\.json is not JSON: .*\n$/,
    );
    expect(await tributary("send")).toEqual({ code: 1, stdout: "", stderr: "The user is missing: set --user <id>.\n" });
  });

  test("prints a completion script that bash evaluates", { tags: "deep" }, async () => {
    const { stdout, code } = await tributary("completion", "bash");
    expect(code).toBe(0);
    const script = `${stdout}\nCOMP_WORDS=(tributary re); COMP_CWORD=1; _tributary; echo "\${COMPREPLY[@]}"; complete -p tributary`;
    const done = await new Promise<string>((found) => execFile("bash", ["-c", script], (_, text) => found(text)));
    expect(done).toBe("replay\ncomplete -o default -F _tributary tributary\n");
  });
});

describe("send and tail", () => {
  test("show the event of a sent sample as one line of JSON", { tags: "deep" }, async () => {
    const user = await service.createUser("tail");
    const other = await service.createUser("someone else");
    const { ended, lines } = await startTail("--json", "--count", "1", "--type", "daily.data.", "--user", user);
    await tributary("send", "--user", other);
    const sent = await tributary("send", "--user", user, "--value", "72", "--wait", "--json");
    expect(sent.code).toBe(0);
    expect(JSON.parse(sent.stdout)).toMatchObject({ accepted: 1, status: "done", stored: 1, rejected: [] });
    const [code] = await ended;
    expect(code).toBe(0);
    const [line = "", ...others] = lines();
    expect(others).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      event_type: "daily.data.heartrate.created",
      user_id: user,
      sequence: expect.any(Number),
      body: { user_id: user, data: { data: [expect.objectContaining({ value: 72 })] } },
    });
  });

  test("show a webhook of the inbox as text without health data", { tags: "deep" }, async () => {
    const user = await service.createUser("inbox");
    const { ended, lines } = await startTail("--inbox", "--count", "1", "--user", user);
    const sent = await tributary("send", "--user", user, "--resource", "glucose", "--value", "5.4");
    expect(sent.stdout).toMatch(/^Receipt \w+: 1 accepted, 0 rejected\n$/);
    await ended;
    expect(lines()).toEqual([expect.stringMatching(/^\S+Z {2}daily\.data\.glucose\.created {2}user \S+ {2}verified$/)]);
  });

  test("end with exit code 130 by Ctrl+C", { tags: "deep" }, async () => {
    const { child, ended } = await startTail();
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
  });

  test("a file is relative to the caller's folder, and a rejected record ends with exit code 1", {
    tags: "deep",
  }, async () => {
    const user = await service.createUser("file");
    const samples = [
      { timestamp: "2026-05-01T08:00:00Z", value: 61 },
      { timestamp: "2026-05-01T08:01:00Z", value: "high" },
    ];
    const batch = { provider: "apple_health_kit", source_type: "watch", resources: { heartrate: samples } };
    writeFileSync(join(folder, "batch.json"), JSON.stringify(batch));
    const { code, stdout } = await tributary("send", "batch.json", "--user", user);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Receipt \w+: 1 accepted, 1 rejected\n {2}heartrate\[1\]\.value: \w+, .+\n$/);
  });
});

describe("replay", () => {
  const startOfToday = () => new Date(Math.floor(service.cloud.clock.now() / 86_400_000) * 86_400_000).toISOString();

  test("resends a message and a range of messages to the only endpoint", { tags: "deep" }, async () => {
    const user = await service.createUser("replay");
    const type = "daily.data.heartrate.created";
    await tributary("send", "--user", user, "--wait");
    const received = async () => (await service.inbox(type)).filter(({ body }) => body.user_id === user);
    const [first] = await received();
    const id = first?.headers["webhook-id"] ?? "";
    const one = await tributary("replay", id, "--json");
    expect([one.code, JSON.parse(one.stdout).messages[0].event_id]).toEqual([0, id]);
    expect(await received()).toHaveLength(2);
    const range = await tributary("replay", "--since", startOfToday(), "--type", type);
    expect(range.code).toBe(0);
    expect(range.stdout).toContain(`${id}  ${type}`);
    expect(range.stderr).toMatch(/^Resent \d+ messages\.\n$/);
    expect(await received()).toHaveLength(3);
    const dry = await tributary("replay", "--since", startOfToday(), "--type", type, "--dry-run");
    expect(dry.stderr).toMatch(/^\d+ messages, none resent\.\n$/);
    expect(await received()).toHaveLength(3);
  });

  test("waits for the task that sends missing events", { tags: "deep" }, async () => {
    const { code, stdout } = await tributary("replay", "--missing", "--since", startOfToday(), "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).task).toMatchObject({ kind: "replay_missing", state: "done" });
  });

  test("refuses an unknown message, and a range without a start", { tags: "deep" }, async () => {
    const unknown = await tributary("replay", "evt_aaaaaaaaaaaaaaaaaaaaaaaaaa");
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The endpoint has no message evt_a+ .*\n$/),
    });
    expect((await tributary("replay")).stderr).toContain("error: give an event id or --since\n");
  });
});

describe("trace", () => {
  test("prints the trace of a request to the local service, and of log lines in a file", { tags: "deep" }, async () => {
    const { headers } = await service.call("GET", "/v2/user");
    const id = headers.get("x-request-id") ?? "";
    const shown = await tributary("trace", id);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toMatch(/: 1 spans in \d+ ms\nlistUsers +\+0 .* 200 /);
    const { trace_id } = JSON.parse((await tributary("trace", id, "--json")).stdout);
    const fromLog = await tributary("trace", trace_id, "--log", service.data.file("functions.log"));
    expect(fromLog.stdout).toBe(shown.stdout);
  });

  test("of an unknown id fails with a reason", async () => {
    expect(await tributary("trace", "nowhere")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No trace has the id nowhere"),
    });
  });
});
