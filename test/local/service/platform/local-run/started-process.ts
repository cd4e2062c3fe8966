import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The fields of `local.json` that tests need. */
export interface LocalJson {
  readonly base_url: string;
  readonly management_url: string;
  readonly org_id: string;
  readonly team_id: string;
  readonly api_key: string;
  readonly management_key: string;
  readonly demo_user_id: string;
  readonly inbox_url: string;
  readonly openapi_url: string;
}

/** Directory and options of a started service. */
export interface StartOptions {
  readonly directory: string;
  readonly port: number;
  readonly managementPort: number;
}

/** The service in a process of its own, as `npm start` runs it. */
export class StartedProcess {
  output = "";
  readonly #child: ChildProcess;
  readonly #directory: string;
  readonly #port: number;
  readonly #exited: Promise<number | null>;

  constructor({ directory, port, managementPort }: StartOptions) {
    this.#directory = directory;
    this.#port = port;
    this.#child = spawn(process.execPath, ["--import", "./lib/cli/require-node.mjs", "bin/tributary.ts", "start"], {
      env: { ...process.env, DATA_DIR: directory, PORT: String(port), MANAGEMENT_PORT: String(managementPort) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk) => (this.output += chunk));
    }
    this.#exited = once(this.#child, "exit").then(([code]) => code);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Waits for `local.json`. @throws Error with the output if the process ends first. */
  async ready(): Promise<LocalJson> {
    const file = join(this.#directory, "local.json");
    while (!existsSync(file)) {
      if (this.#child.exitCode !== null) throw new Error(`the service ended: ${this.output}`);
      await sleep(20);
    }
    return JSON.parse(readFileSync(file, "utf8"));
  }

  /** Waits for the demo user, whose data takes most of the time of a first start. */
  async stores(): Promise<void> {
    const file = join(this.#directory, "identity.json");
    const ask = async () => {
      const headers = { "x-service-api-key": JSON.parse(readFileSync(file, "utf8")).api_key };
      return (await fetch(`http://127.0.0.1:${this.#port}/v2/user/resolve/demo-user`, { headers })).ok;
    };
    while (!(await ask().catch(() => false)) && this.#child.exitCode === null) await sleep(20);
  }

  /** Returns the exit code after the process ends; null after a signal. */
  exited(): Promise<number | null> {
    return this.#exited;
  }

  async kill(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    return this.#exited;
  }
}
