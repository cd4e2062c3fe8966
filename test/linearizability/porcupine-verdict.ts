import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { History } from "./operation.ts";

const SOURCE = join(import.meta.dirname, "porcupine");
/** Where Go's own archive installs it. */
const OFFICIAL = "/usr/local/go/bin/go";

/** Builds the second checker from its source and the public module. @returns the path of the program. */
export function buildPorcupine(): string {
  const program = join(mkdtempSync(join(tmpdir(), "tributary-porcupine-")), "check");
  execFileSync(existsSync(OFFICIAL) ? OFFICIAL : "go", ["build", "-o", program, "."], { cwd: SOURCE });
  return program;
}

/** Whether porcupine finds each of these histories linearizable. */
export function askPorcupine(program: string, histories: readonly History[]): boolean[] {
  const input = histories.map((history) => JSON.stringify(history)).join("\n");
  const verdicts = execFileSync(program, { input, encoding: "utf8", maxBuffer: 1 << 28 })
    .trim()
    .split("\n");
  return verdicts.map((verdict) => {
    if (verdict !== "true" && verdict !== "false") throw new Error(`porcupine answers ${verdict}`);
    return verdict === "true";
  });
}
