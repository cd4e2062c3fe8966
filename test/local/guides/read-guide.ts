import { readFileSync } from "node:fs";

/** What a fenced block of a guide is for, by its info string. */
type BlockKind =
  /** Commands for the first terminal. */
  | "run"
  /** Commands for the second terminal, which run until the page ends. */
  | "background"
  /** What the commands before it print. */
  | "output"
  /** What the second terminal prints. */
  | "background output"
  /** Content of a file. */
  | "file";

/** A fenced block of a guide. */
export interface GuideBlock {
  readonly kind: BlockKind;
  readonly language: string;
  /** Name of the file, for a block of the kind `file`. */
  readonly file: string;
  readonly text: string;
  /** Line of the opening fence in the page. */
  readonly line: number;
}

/** Languages of blocks with a file name. */
const fileLanguages = new Set(["ts", "tsx", "js", "py", "go", "swift", "kotlin", "html", "json", "text", "yaml"]);
const fixedKinds: Readonly<Record<string, BlockKind>> = {
  sh: "run",
  "sh second terminal": "background",
  json: "output",
  "text output": "output",
  "text output of the second terminal": "background output",
};
const FILE_NAME = /^[\w@.-]+(?:\/[\w@.-]+)*\.\w+$/;

/** Classifies an info string. @returns the kind and the file name; undefined for an unknown info string. */
export function classifyBlock(info: string): Pick<GuideBlock, "kind" | "file" | "language"> | undefined {
  const [language = "", ...rest] = info.split(" ");
  const kind = fixedKinds[info];
  if (kind) return { kind, language, file: "" };
  const file = rest.join(" ");
  return fileLanguages.has(language) && FILE_NAME.test(file) ? { kind: "file", language, file } : undefined;
}

/** A fence with its text, as Markdown prints it. */
interface Fence {
  readonly info: string;
  readonly text: string;
  readonly line: number;
}

/** Lists the fenced blocks of a Markdown text. */
export function listFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [at, line] of markdown.split("\n").entries()) {
    const mark = /^```(.*)$/.exec(line);
    if (!mark) open?.lines.push(line);
    else if (!open) open = { info: (mark[1] ?? "").trim(), line: at + 1, lines: [] };
    else {
      fences.push({ info: open.info, text: `${open.lines.join("\n")}\n`, line: open.line });
      open = undefined;
    }
  }
  if (open) throw new Error(`the fence of line ${open.line} has no end`);
  return fences;
}

/** Reads the blocks of a guide. @throws Error for a block with an unknown info string. */
export function readGuide(page: string): GuideBlock[] {
  return listFences(readFileSync(page, "utf8")).map(({ info, text, line }) => {
    const block = classifyBlock(info);
    if (!block) throw new Error(`${page}:${line} has a block of an unknown kind: ${info}`);
    return { ...block, text, line };
  });
}

/** Reads one file block of a guide. @throws Error when the page has no such block. */
export function readGuideFile(page: string, file: string): string {
  const found = readGuide(page).find((block) => block.file === file);
  if (!found) throw new Error(`${page} has no block ${file}`);
  return found.text;
}
