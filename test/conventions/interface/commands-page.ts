import { commands } from "../../../lib/cli/command-table.ts";
import { formatExamples } from "../../../lib/cli/frame/build-program.ts";
import type { Command, ValueSpec } from "../../../lib/cli/frame/declaration.ts";
import { readSchema, toKebabCase } from "../../../lib/cli/frame/values.ts";

const INTRODUCTION = `# Commands

This page lists every command of Tributary. It is for people who run the service on their machine, deploy it or develop it.

In the folder of the repository, after \`npm ci\`:

\`\`\`sh
npx tributary --help                     # all commands
npx tributary send --help                # one command, with examples
npm run --silent tributary -- send       # the same through npm
\`\`\`
`;

const RULES = `## For all commands

- **Exit codes**: 0 done, 1 the work failed, 2 wrong usage. Wrong usage prints one line and the usage on the standard error.
- **\`--json\`** prints the result as JSON on the standard output. Progress and notes go to the standard error.
- **Colours and progress bars** appear only on a terminal. \`NO_COLOR\` turns colours off.
- **Paths** are relative to the folder in which you type \`npx tributary\`. npm scripts start in the folder of the repository.
- **The local service**: \`send\`, \`tail\`, \`replay\` and \`import\` find the service that \`npm start\` runs by \`DATA_DIR\`.
  Its default is \`.local\` in the repository, from any folder.
- **Another service**: set \`--url\` and \`--key\`, or \`TRIBUTARY_URL\` and \`TRIBUTARY_API_KEY\`.

## Completions

Tests evaluate the script of bash. Nobody has run those of zsh and fish.
The scripts complete the word \`tributary\`. Define it once, for example with \`alias tributary="npx tributary"\`.

\`\`\`sh
eval "$(npx tributary completion bash)"                   # bash, in ~/.bashrc
eval "$(npx tributary completion zsh)"                    # zsh, in ~/.zshrc after compinit
npx tributary completion fish | source                    # fish, in config.fish
\`\`\`

\`npm test -- test/conventions/interface/commands-page.test.ts -u\` writes this page from the declarations in \`lib/cli/commands/\`.
`;

const escapeCell = (text: string): string => text.replaceAll("|", "\\|");

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escapeCell).join(" | ")} |`).join("\n");

/** What a value means, with its choices and its default. */
function meaningOf({ help, schema, placeholder }: ValueSpec): string {
  const { choices, defaultValue } = readSchema(schema);
  const listed = choices.length > 0 ? `: ${choices.map((choice) => `\`${choice}\``).join(", ")}` : "";
  const hasDefault = placeholder !== undefined && !["", "undefined"].includes(String(defaultValue));
  return `${help}${listed}${hasDefault ? ` (default: \`${defaultValue}\`)` : ""}`;
}

function valueRows({ args, options, json }: Command): string[][] {
  const own = Object.values(args).map((spec) => [`\`${spec.placeholder}\``, meaningOf(spec)]);
  const named = Object.entries(options).map(([name, spec]) => {
    const isRequired = readSchema(spec.schema).isRequired ? ", required" : "";
    const flag = [`--${toKebabCase(name)}`, spec.placeholder].filter(Boolean).join(" ");
    return [`\`${flag}\``, `${meaningOf(spec)}${isRequired}`];
  });
  const asJson = json === "always" ? "the output is JSON with and without it" : "print JSON";
  return [...own, ...named, ...(json ? [["`--json`", asJson]] : [])];
}

function section(command: Command, parents: readonly string[]): string[] {
  const name = [...parents, command.name].join(" ");
  const rows = valueRows(command);
  const examples = formatExamples(command).replaceAll(/^ {2}/gm, "npx ");
  const own = [
    `${"#".repeat(parents.length + 3)} ${name}`,
    [`${command.summary}.`, ...(command.description ?? [])].join("\n"),
    ...(rows.length > 0 ? [table(["Argument or option", "Meaning"], rows)] : []),
    ...(command.examples.length > 0 ? [`\`\`\`sh\n${examples}\n\`\`\``] : []),
  ];
  return [...own, ...command.subcommands.flatMap((one) => section(one, [...parents, command.name]))];
}

const overviewRows = (list: readonly Command[], parents: readonly string[]): string[][] =>
  list.flatMap((command) => [
    [`\`${[...parents, command.name].join(" ")}\``, command.summary],
    ...overviewRows(command.subcommands, [...parents, command.name]),
  ]);

/** The page docs/commands.md, generated from the declarations of the commands. */
export function commandsPage(): string {
  const overview = table(["Command", "What it does"], overviewRows(commands, []));
  const sections = commands.flatMap((command) => section(command, []));
  return `${[INTRODUCTION.trimEnd(), overview, RULES.trimEnd(), "## Reference", ...sections].join("\n\n")}\n`;
}
