import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findFreePort } from "../../../lib/local/free-port.ts";
import { matchesOutput } from "./match-output.ts";
import { type GuideBlock, readGuide } from "./read-guide.ts";
import { Terminal } from "./terminal.ts";

/** The port of receivers on the pages. Each run replaces it by a free one. */
const RECEIVER_PORT = /(?<=:|listen\()4000\b/g;
/** What a copy of the repository does not share with it. */
const ownEntries = [".git", ".local", "cdk.out"];

/** Creates a folder in which commands for the repository folder run, with a data directory of its own. */
function createFolder(dataDirectory: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tributary-guide-"));
  for (const entry of readdirSync(".").filter((name) => !ownEntries.includes(name)))
    symlinkSync(resolve(entry), join(folder, entry));
  symlinkSync(dataDirectory, join(folder, ".local"));
  return folder;
}

/** A run of one guide: its terminals, and what the last commands printed. */
class GuideRun {
  readonly #folder: string;
  readonly #first: Terminal;
  #second: Terminal | undefined;
  #printed: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#first = new Terminal(folder);
  }

  async take({ kind, language, file, text }: GuideBlock): Promise<void> {
    if (kind === "file") this.#write(file, text);
    if (kind === "run") this.#printed = await this.#first.run(text);
    if (kind === "background") {
      await this.#second?.stop();
      this.#second = new Terminal(this.#folder);
      this.#second.begin(text);
    }
    if (kind === "background output") await this.#second?.waitForOutput(text);
    if (kind === "output" && !matchesOutput(this.#printed ?? "", text, language === "json"))
      throw new Error(`the commands print something else:\n${this.#printed}`);
  }

  #write(file: string, text: string): void {
    const path = join(this.#folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#first.stop(), this.#second?.stop()]);
  }
}

/**
 * Runs the blocks of a guide in their order, as a reader copies them.
 * @param dataDirectory data directory of the running service.
 * @throws Error with the line of the first block that fails.
 */
export async function runGuide(page: string, dataDirectory: string): Promise<void> {
  const folder = createFolder(dataDirectory);
  const port = String(await findFreePort());
  const run = new GuideRun(folder);
  try {
    for (const block of readGuide(page)) {
      const text = block.text.replaceAll(RECEIVER_PORT, port);
      await run.take({ ...block, text }).catch((error: Error) => {
        throw new Error(`${page}:${block.line} ${error.message}`);
      });
    }
  } finally {
    await run.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
