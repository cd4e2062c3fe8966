import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findOutput } from "./match-output.ts";

const START = "set -euo pipefail\n";
/** How long a command or an output of the second terminal may take: less than a quick test, to say what came instead. */
const LIMIT_MS = 100_000;
const POLL_MS = 20;

/** A bash session of a reader: one for the first terminal, one for each block of the second terminal. */
export class Terminal {
  readonly #child: ChildProcess;
  #output = "";
  #errors = "";
  #exitCode: number | undefined;
  #count = 0;

  constructor(directory: string) {
    const path = `${dirname(process.execPath)}:${process.env.PATH ?? ""}`;
    this.#child = spawn("bash", ["--noprofile", "--norc"], {
      cwd: directory,
      env: { ...process.env, PATH: path },
      detached: true,
    });
    this.#child.stdout?.on("data", (chunk) => (this.#output += chunk));
    this.#child.stderr?.on("data", (chunk) => (this.#errors += chunk));
    // A shell that ended cannot read further commands; its exit is reported instead.
    this.#child.stdin?.on("error", () => undefined);
    void once(this.#child, "close").then(([code]) => (this.#exitCode = Number(code ?? 1)));
    this.#child.stdin?.write(START);
  }

  /** Runs commands. @returns what they print. @throws Error when a command fails. */
  async run(commands: string): Promise<string> {
    const end = `end-of-block-${++this.#count}`;
    this.#child.stdin?.write(`${commands}\necho; echo ${end}\n`);
    await this.#waitFor(() => this.#output.includes(`${end}\n`));
    const printed = this.#output.slice(0, this.#output.indexOf(end));
    this.#output = "";
    return printed;
  }

  /** Runs commands without waiting for their end. */
  begin(commands: string): void {
    this.#child.stdin?.end(commands);
  }

  get isEnded(): boolean {
    return this.#exitCode !== undefined;
  }

  /** Output that nobody has waited for. */
  get unreadOutput(): string {
    return this.#output;
  }

  /** Waits for an output. @throws Error when it does not come, with what came instead. */
  async waitForOutput(expected: string): Promise<void> {
    await this.#waitFor(() => findOutput(this.#output, expected) !== undefined);
    this.#output = this.#output.slice(findOutput(this.#output, expected));
  }

  async #waitFor(isDone: () => boolean): Promise<void> {
    const until = Date.now() + LIMIT_MS;
    while (!isDone()) {
      if (this.#exitCode !== undefined) throw new Error(`the shell ended with ${this.#exitCode}: ${this.#printed()}`);
      if (Date.now() > until) throw new Error(`nothing more came: ${this.#printed()}`);
      await sleep(POLL_MS);
    }
  }

  #printed(): string {
    return `${this.#output}\n${this.#errors}`.trim();
  }

  /** Ends the shell and everything that it started. */
  async stop(): Promise<void> {
    if (this.#exitCode !== undefined || this.#child.pid === undefined) return;
    process.kill(-this.#child.pid, "SIGKILL");
    while (this.#exitCode === undefined) await sleep(POLL_MS);
  }
}
