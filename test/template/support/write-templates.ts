import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allOptions } from "./all-options.ts";
import { synthesizeService } from "./synthesize.ts";

// Writes the templates of a deployment with every option to a directory, for programs that read files.
const [directory = ""] = process.argv.slice(2);
if (directory === "") throw new Error("usage: write-options.ts <directory>");
mkdirSync(directory, { recursive: true });
for (const { name, text } of synthesizeService(allOptions).templates) {
  writeFileSync(join(directory, `${name}.template.json`), text);
}
