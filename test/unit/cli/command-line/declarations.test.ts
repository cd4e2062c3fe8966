import { describe, expect, onTestFinished, test, vi } from "vitest";
import { commands } from "../../../../lib/cli/command-table.ts";
import { buildProgram } from "../../../../lib/cli/frame/build-program.ts";
import type { Command } from "../../../../lib/cli/frame/declaration.ts";
import { convertValues } from "../../../../lib/cli/frame/run-program.ts";
import { toKebabCase } from "../../../../lib/cli/frame/values.ts";

/** A command with the words that call it. */
type Placed = readonly [words: string, command: Command];
const place = (command: Command, parents: string): Placed[] => {
  const words = `${parents}${command.name}`;
  return [[words, command], ...command.subcommands.flatMap((below) => place(below, `${words} `))];
};
const placed = commands.flatMap((command) => place(command, ""));
const runnable = placed.filter(([, { run }]) => run !== undefined);

/** Parses a command line without its work. @returns the called command and its converted values, or the output. */
async function parse(words: readonly string[]) {
  let called: { command: Command; values: Readonly<Record<string, unknown>> } | undefined;
  let output = "";
  const program = buildProgram(commands, "1.2.3", async (command, raw) => {
    called = { command, values: convertValues(command, raw) };
  });
  const outputs = { writeOut: (text: string) => (output += text), writeErr: (text: string) => (output += text) };
  for (const line of allLines(program)) line.configureOutput(outputs);
  const code = await program.parseAsync([...words], { from: "user" }).then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
  return { called, output, code };
}

type Line = ReturnType<typeof buildProgram>;
const allLines = (line: Line): Line[] => [line, ...line.commands.flatMap((below) => allLines(below as Line))];

/** The words of an example, of which quotes hold one together. Words after a redirection belong to the shell. */
const splitWords = (line: string): string[] =>
  [...(line.split(/ [<>]{1,2} /)[0] ?? "").matchAll(/"([^"]*)"|(<[^>]*>|\S+)/g)].map(
    ([, quoted, plain = ""]) => quoted ?? plain,
  );

describe.each(placed)("%s", (words, command) => {
  test("has a help with its summary, its options and its examples", async () => {
    const { output, code } = await parse([...words.split(" "), "--help"]);
    expect(code).toBe("commander.helpDisplayed");
    expect(output).toContain(`Usage: tributary ${words}`);
    const text = output.replaceAll(/\s+/g, " ");
    expect(text).toContain(`${command.summary}.`);
    for (const name of Object.keys(command.options)) expect(text).toContain(`--${toKebabCase(name)}`);
    for (const [line] of command.examples) expect(text).toContain(`tributary ${line.replaceAll(/\s+/g, " ")}`);
  });

  test("refuses an option that does not exist", async () => {
    const { output, code } = await parse([...words.split(" "), "--nonsense"]);
    expect(code).toMatch(/^commander\.(?:unknownOption|help)$/);
    expect(output).toContain(`Usage: tributary ${words}`);
  });

  test("has a summary of one sentence and documents each value", () => {
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    const specs = [...Object.values(command.args), ...Object.values(command.options)];
    for (const { help } of specs) expect(help).toMatch(/^\S.*[^.]$/);
  });
});

test.each(runnable)("an example of %s calls it with valid values", async (words, { examples, name }) => {
  expect(examples.length).toBeGreaterThan(0);
  for (const [line] of examples) {
    const { called, output } = await parse(splitWords(line));
    expect([line, called?.command.name, output]).toEqual([line, name, ""]);
    expect(line.startsWith(words)).toBe(true);
  }
});

/** Placeholders of values that name a file or a folder, such as `<file>`, `[file.json]` or `<list.csv>`. */
const OF_A_PATH = /file|dir|folder|export|\.\w+[>\]]$/;
const paths = placed.flatMap(([words, { args, options }]) =>
  Object.entries({ ...args, ...options })
    .filter(([, { placeholder = "" }]) => OF_A_PATH.test(placeholder))
    .map(([name, { schema }]) => [`${words} ${name}`, schema] as const),
);

test("every path that a person types is relative to their folder", () => {
  vi.stubEnv("TRIBUTARY_CALLER_FOLDER", "/their/folder");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(paths.length).toBeGreaterThan(20);
  const resolved = paths.map(([name, schema]) => `${name} ${schema.parse("below/it")}`);
  expect(resolved).toEqual(paths.map(([name]) => `${name} /their/folder/below/it`));
});

test("values are converted by their schemas", async () => {
  const fuzz = await parse(["fuzz", "--requests", "250", "--seed", "7"]);
  expect(fuzz.called?.values).toEqual({ requests: 250, seed: 7, first: 0 });
  const drawn = await parse(["fuzz"]);
  expect(drawn.called?.values).toEqual({ requests: 1_000_000, seed: expect.any(Number), first: 0 });
  const mutate = await parse(["mutate", "merge", "tenancy"]);
  expect(mutate.called?.values).toEqual({ groups: ["merge", "tenancy"] });
  expect((await parse(["mutate"])).called?.values).toEqual({ groups: [] });
  expect((await parse(["bench", "reports", "--kinds", "text,photo"])).called?.values).toMatchObject({
    kinds: ["text", "photo"],
    layouts: [],
    keptAside: false,
  });
});

test.each([
  [["fuzz", "--requests", "0"], "--requests must be a whole number of at least 1"],
  [["fuzz", "--seed", "x"], "--seed must be a whole number of at least 0"],
  [["simulate", "rain"], "[scenario] must be one of events, outage"],
  [["mutate", "nothing"], "[group] must be one of authentication, "],
  [["admin", "create-org"], "--name is required"],
  [["admin", "set-lab-account", "--org", "a", "--account", "b", "--status", "on"], "--status must be one of active, "],
  [["send", "--value", "much"], "--value must be a number"],
  [["send", "--at", "yesterday"], "--at must be an ISO 8601 instant with an offset"],
  [["tail", "--url", "ftp://example.com"], "--url must be a URL"],
  [["completion", "tcsh"], "<shell> must be one of bash, zsh, fish"],
])("%j is refused: %s", async (words, message) => {
  const program = buildProgram(commands, "1.2.3", async (command, raw) => void convertValues(command, raw));
  await expect(program.parseAsync(words, { from: "user" })).rejects.toThrow(message);
});

test("a mistyped command or option is suggested", async () => {
  expect((await parse(["tial"])).output).toContain("error: unknown command 'tial'\n(Did you mean tail?)");
  expect((await parse(["drill", "rases"])).output).toContain("(Did you mean races?)");
  expect((await parse(["cost", "--source"])).output).toContain("(Did you mean --sources?)");
});
