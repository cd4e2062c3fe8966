import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CommandFailed } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { option, path } from "../frame/values.ts";

export const eventsPackage = declareCommand({
  name: "events-package",
  summary: "Writes the npm package of event types and webhook verification for TypeScript",
  description: ["`npm pack` in the folder makes the file that you install or publish."],
  options: { out: option("<dir>", "folder of the package", path.prefault("tributary-events")) },
  examples: [["events-package --out ./tributary-events", "writes and compiles the package"]],
  run: async ({ out }) => {
    const { createPackageFiles } = await import("../../openapi/events-package/package-files.ts");
    for (const [name, text] of Object.entries(createPackageFiles())) {
      const file = join(out, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    compile(resolve(out));
    return undefined;
  },
});

/** Compiles the sources of the package. @throws CommandFailed with the errors of the compiler. */
function compile(folder: string): void {
  const { status, stdout } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", folder], {
    encoding: "utf8",
  });
  if (status !== 0) throw new CommandFailed(`the package does not compile: ${stdout}`);
}
