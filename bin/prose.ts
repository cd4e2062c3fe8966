import { globSync } from "node:fs";
import { lintProse } from "../lib/cli/prose/lint-prose.ts";

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

const isVerbose = process.argv.includes("--verbose");
let isOk = true;
for (const { name, files, longShare, passives } of scopes) {
  const paths = files.flatMap((pattern) => globSync(pattern));
  const { findings, figures, passivePer100 } = await lintProse(paths);
  const errors = findings.filter(({ isPassive }) => !isPassive);
  for (const { file, line, rule, message } of isVerbose ? findings : errors)
    console.log(`${file}:${line} ${rule}: ${message.replaceAll(/\s+/g, " ")}`);
  console.log(
    `${name}: ${figures.count} sentences of ${figures.meanWords.toFixed(1)} words on average, ${(100 * figures.longShare).toFixed(1)} % longer than 25, ` +
      `${passivePer100.toFixed(1)} passives per 100; ${errors.length} errors`,
  );
  isOk &&= errors.length === 0 && figures.longShare <= longShare && passivePer100 <= passives;
}
if (!isOk)
  console.error("prose: shorten long sentences, write in the active voice, and use the terms of docs/glossary.md");
process.exitCode = isOk ? 0 : 1;
