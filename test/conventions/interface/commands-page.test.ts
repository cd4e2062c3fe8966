import { expect, test } from "vitest";
import { commands } from "../../../lib/cli/command-table.ts";
import { commandsPage } from "./commands-page.ts";

test("docs/commands.md describes every command as it is declared", async () => {
  const page = commandsPage();
  await expect(page).toMatchFileSnapshot("../../../docs/commands.md");
  for (const { name, subcommands } of commands) {
    expect(page).toContain(`\n### ${name}\n`);
    for (const below of subcommands) expect(page).toContain(`\n#### ${name} ${below.name}\n`);
  }
});
