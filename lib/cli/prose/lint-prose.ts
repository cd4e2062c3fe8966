import { readFileSync } from "node:fs";
import { createLinter, loadTextlintrc } from "textlint";
import { proseOfSource } from "./prose-of-source.ts";
import { type SentenceFigures, sentenceFigures } from "./sentences.ts";

/** A finding of a rule at a line of a file. */
interface ProseFinding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
  /** Passive voice is counted for all files together; every other finding is an error by itself. */
  readonly isPassive: boolean;
}

export interface ProseReport {
  readonly findings: readonly ProseFinding[];
  readonly figures: SentenceFigures;
  /** Findings of passive voice per 100 sentences. */
  readonly passivePer100: number;
}

/** The rules of textlint, its plugins from npm and the vocabulary of the project. */
const RULES = "test/conventions/textlint.json";

const proseOf = (file: string): string => {
  const text = readFileSync(file, "utf8");
  return file.endsWith(".md") ? text : proseOfSource(text);
};

/** Lints Markdown pages, and the docstrings and comments of TypeScript sources. */
export async function lintProse(files: readonly string[]): Promise<ProseReport> {
  const linter = createLinter({ descriptor: await loadTextlintrc({ configFilePath: RULES }) });
  const texts = files.map((file) => ({ file, text: proseOf(file) })).filter(({ text }) => text.trim() !== "");
  const findings: ProseFinding[] = [];
  for (const { file, text } of texts) {
    const { messages } = await linter.lintText(text, file.replace(/\.m?ts$/, ".md"));
    for (const { line, ruleId, message } of messages)
      findings.push({ file, line, rule: ruleId, message, isPassive: message.includes("passive voice") });
  }
  const figures = sentenceFigures(texts.map(({ text }) => text));
  const passives = findings.filter(({ isPassive }) => isPassive).length;
  return { findings, figures, passivePer100: (100 * passives) / figures.count };
}
