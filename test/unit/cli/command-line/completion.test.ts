import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commands } from "../../../../lib/cli/command-table.ts";
import { bashCompletion } from "../../../../lib/cli/completion/bash-completion.ts";
import { fishCompletion } from "../../../../lib/cli/completion/fish-completion.ts";
import { listCompletions } from "../../../../lib/cli/completion/list-completions.ts";
import { zshCompletion } from "../../../../lib/cli/completion/zsh-completion.ts";

const completions = listCompletions(commands);

/** Lets bash complete the last word of a command line. */
function complete(...words: string[]): string[] {
  const call = `COMP_WORDS=(tributary "$@"); COMP_CWORD=$#; _tributary; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${bashCompletion(completions)}\n${call}`;
  return execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
}

test("bash completes commands, subcommands, options and values", { tags: "deep" }, () => {
  expect(complete("")).toEqual([...commands.map(({ name }) => name), "--help"]);
  expect(complete("si")).toEqual(["simulators", "sites", "simulate"]);
  expect(complete("admin", "c")).toEqual(["create-org", "create-management-key", "create-archive-keys"]);
  expect(complete("admin", "set-lab-account", "--a")).toEqual(["--account"]);
  expect(complete("admin", "set-lab-account", "--org", "x", "--status", "")).toEqual([
    "active",
    "pending",
    "suspended",
    "ready_to_launch",
  ]);
  expect(complete("completion", "")).toEqual(["bash", "zsh", "fish", "--help"]);
  expect(complete("tail", "--type", "admin", "--us")).toEqual(["--user"]);
});

test("bash completes nothing of its own where a file name comes", () => {
  expect(complete("import", "expo")).toEqual([]);
});

test("the scripts of zsh and fish have every command, option and value", () => {
  const [zsh, fish] = [zshCompletion(completions), fishCompletion(completions)];
  for (const { path, words, options } of completions) {
    if (path.length > 0) expect(zsh).toContain(`' ${path.join(" ")}'`);
    for (const { word } of [...words, ...options]) expect(zsh).toContain(`'${word}:`);
    for (const { word } of words) expect(fish).toContain(`-f -a '${word}' -d `);
    for (const { word } of options) expect(fish).toContain(`-l ${word.slice(2)}`);
  }
  expect(fish).toContain("-l status -x -a 'active pending suspended ready_to_launch'");
  expect(zsh).toContain("(' admin set-lab-account --status') found=('active' 'pending'");
  expect(fish).toContain("'__fish_seen_subcommand_from admin; and not __fish_seen_subcommand_from create-org ");
});

test("a quote in a help text ends no string of a script", () => {
  const help = "an organization's \\ account";
  const root = { path: [], words: [{ word: "x", help }], options: [] };
  expect(zshCompletion([root])).toContain(`'x:an organization'\\''s \\ account'`);
  expect(fishCompletion([root])).toContain(`'an organization\\'s \\\\ account'`);
});
