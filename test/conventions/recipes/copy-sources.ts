import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Copies the sources of this repository, with a link to the installed packages. @returns the new folder. */
export function copySources(): string {
  const directory = mkdtempSync(join(tmpdir(), "tributary-recipes-"));
  const options = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const files = execFileSync("git", options, { encoding: "utf8", maxBuffer: 1 << 26 }).split("\0");
  for (const file of files.filter((name) => name !== "" && existsSync(name)))
    cpSync(file, join(directory, file), { recursive: true });
  symlinkSync(resolve("node_modules"), join(directory, "node_modules"));
  return directory;
}
