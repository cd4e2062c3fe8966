import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** What `npm start` and the other commands run: on every system with Node and a POSIX shell, or with Windows. */
const CODE = "{bin,lib,functions,web}/**/*.{ts,mjs,js}";
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const sources = [
  ...globSync(CODE).map((file) => [file, readFileSync(file, "utf8")] as const),
  ...Object.entries(scripts).map(([name, line]) => [`npm run ${name}`, line] as const),
];
const find = (sought: RegExp) =>
  sources.flatMap(([place, text]) => [...text.matchAll(sought)].map(([found]) => `${place}: ${found}`));

/** Options and tools that only GNU or Linux has. */
const GNU_ONLY =
  /\b(?:sed -i\b|grep -\w*P|readlink -f|date -d|stat -c|xargs -r|sort -V|cp --|ls --|mktemp --|setsid|nproc|pidof|pkill -\w|timeout \d)/g;

describe("commands run on every system:", () => {
  test("they read nothing of /proc or /sys", () => {
    expect(find(/["'`(]\/(?:proc|sys)\//g)).toEqual([]);
  });

  test("they use no tool or option that only GNU or Linux has", () => {
    expect(find(GNU_ONLY)).toEqual([]);
    expect("sed -i s/a/b/ file; readlink -f .; grep -oP x; timeout 5 true".match(GNU_ONLY)).toHaveLength(4);
  });

  test("they start only Node, the engine, and AWS's command for deployments", () => {
    const started = find(/(?<![.\w])(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|fork)\([^,)]*/g);
    const node = (file: string) => `${file}: spawn(process.execPath`;
    expect(started.toSorted()).toEqual(
      [
        ...["bin/test.ts", "lib/build/local-build.ts"].map(node),
        "lib/cli/commands/events-package.ts: spawnSync(process.execPath",
        "lib/cli/commands/openapi.ts: spawnSync(process.execPath",
        // The project's own Node, under an older one.
        "bin/tributary.mjs: spawn(installed",
        'lib/cli/deploy/aws-cli.ts: execFile("aws"',
        // A POSIX shell around the engine, and the engine alone on Windows: see engineCommand.
        "lib/local/engines/dynamodb.ts: spawn(file",
      ].toSorted(),
    );
  });

  test("npm runs them without a shell's own syntax", () => {
    // `&&` is the same in every shell of npm; a variable, a pipe or a redirection is not.
    const lines = Object.entries(scripts).filter(([, line]) => /[$|;<>`'*]|(?<!&)&(?!&)/.test(line));
    expect(lines).toEqual([]);
  });

  test("they import an absolute path as a URL", () => {
    expect(find(/import\(`\$\{import\.meta\.(?:dirname|filename)[^)]*/g)).toEqual([]);
  });
});
