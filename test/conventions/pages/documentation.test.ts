import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const pages = new Map(
  globSync("{README.md,SECURITY.md,CONTRIBUTING.md,docs/**/*.md,{bin,lib,functions,web,data,test}/**/README.md}").map(
    (file) => [file, readFileSync(file, "utf8")],
  ),
);
const fileNames = new Set(
  globSync("{bin,lib,functions,web,test,docs}/**/*.{ts,tsx,sh,py}").map((file) => basename(file)),
);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

/** Anchors of a page: its headings in lower case, with hyphens between words. */
function anchorsOf(text: string): string[] {
  const headings = text.matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

/** Whether the target of a relative link exists. */
function resolves(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(pages.get(target) ?? "").includes(anchor);
}

describe.each([...pages])("%s", (page, text) => {
  test("names only existing commands", () => {
    const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = ""]) => name);
    const short = [...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name = ""]) => name);
    expect([...named, ...short].filter((name) => !(name in scripts))).toEqual([]);
  });

  test("has only links with existing targets", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const relative = links.filter((link) => !/^(?:https?|mailto):/.test(link));
    expect(relative.filter((link) => !resolves(page, link))).toEqual([]);
  });

  test("names only existing files of this project", () => {
    const named = [...text.matchAll(/`((?:bin|lib|functions|web|data|docs|test)\/[\w./-]+)`/g)].map(
      ([, file = ""]) => file,
    );
    const bare = [...text.matchAll(/`([\w-]+\.(?:ts|tsx|sh|py))`/g)].map(([, name = ""]) => name);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
    expect(bare.filter((name) => !fileNames.has(name))).toEqual([]);
  });
});
