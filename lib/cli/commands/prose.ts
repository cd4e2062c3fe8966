import { globSync } from "node:fs";
import { declareCommand } from "../frame/declaration.ts";
import { flag } from "../frame/values.ts";

/** What is linted, with the share of long sentences and the passives per 100 sentences that each may have. */
const scopes = [
  {
    name: "docs",
    files: ["*.md", "docs/**/*.md", "{bin,lib,functions,test,web,data}/**/README.md"],
    longShare: 0.04,
    passives: 20,
  },
  { name: "code", files: ["{bin,lib,functions,web}/**/*.{ts,mts}"], longShare: 0.02, passives: 10 },
];

export const prose = declareCommand({
  name: "prose",
  summary: "Checks the language of pages and docstrings",
  options: { verbose: flag("also list the sentences in the passive voice") },
  examples: [["prose", "as npm run check does"]],
  json: "option",
  run: async ({ verbose }, session) => {
    const { lintProse } = await import("../prose/lint-prose.ts");
    let isOk = true;
    const data: object[] = [];
    for (const { name, files, longShare, passives } of scopes) {
      const paths = files.flatMap((pattern) => globSync(pattern));
      const { findings, figures, passivePer100 } = await lintProse(paths);
      const errors = findings.filter(({ isPassive }) => !isPassive);
      const shown = verbose ? findings : errors;
      for (const { file, line, rule, message } of shown)
        session.print(`${file}:${line} ${rule}: ${message.replaceAll(/\s+/g, " ")}`);
      session.print(
        `${name}: ${figures.count} sentences of ${figures.meanWords.toFixed(1)} words on average, ${(100 * figures.longShare).toFixed(1)} % longer than 25, ` +
          `${passivePer100.toFixed(1)} passives per 100; ${errors.length} errors`,
      );
      data.push({ name, ...figures, passivePer100, findings: shown });
      isOk &&= errors.length === 0 && figures.longShare <= longShare && passivePer100 <= passives;
    }
    if (!isOk)
      session.note("prose: shorten long sentences, write in the active voice, and use the terms of docs/glossary.md");
    return { isOk, data };
  },
});
