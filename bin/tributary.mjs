#!/usr/bin/env node
// The command `tributary` of package.json. Plain JavaScript, because an older Node cannot load TypeScript: such a Node
// starts the project's own, which `npm ci` installs.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installed = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const isOld = Number(process.versions.node.split(".")[0]) < WANTED;

// Commands name files of the project by relative paths; paths that a person types stay relative to their folder.
process.env.TRIBUTARY_CALLER_FOLDER ??= process.cwd();
process.chdir(root);

if (isOld && existsSync(installed)) {
  const child = spawn(installed, [join("bin", "tributary.ts"), ...process.argv.slice(2)], { stdio: "inherit" });
  // A terminal sends Ctrl+C to both processes, and the child decides when to end.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.once("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
} else {
  await import("../lib/cli/require-node.mjs");
  await import("./tributary.ts");
}
