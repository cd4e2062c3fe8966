import { characterWidth, rightOf } from "./page-lines.ts";
import type { ReportWord } from "./report-page.ts";

/** How high raised letters are at most, and how far they stand above the baseline, as parts of the word before them. */
const SMALL = 0.8;
const RAISED = 0.15;
/** How far behind a word a mark may stand, in characters of the word. */
const CLOSE = 0.6;
const MARK = /^[([]?(?:\d{1,2}|[a-z]|[*†‡§]{1,3})(?:,(?:\d{1,2}|[a-z]))*[)\]]?$/i;

/** Words without the small raised codes of sites and footnotes behind them; a raised power belongs to its ten. */
export function withoutRaisedMarks(words: readonly ReportWord[]): ReportWord[] {
  const kept: ReportWord[] = [];
  const powers = new Map<ReportWord, ReportWord>();
  for (const word of words) {
    const bearer = MARK.test(word.text) ? words.find((other) => isRaisedBehind(other, word)) : undefined;
    if (!bearer) kept.push(word);
    else if (/10$/.test(bearer.text) && /^\d{1,2}$/.test(word.text)) powers.set(bearer, word);
  }
  return kept.map((word) => {
    const power = powers.get(word);
    return power ? { ...word, text: `${word.text}^${power.text}`, width: rightOf(power) - word.left } : word;
  });
}

function isRaisedBehind(bearer: ReportWord, mark: ReportWord): boolean {
  const gap = mark.left - rightOf(bearer);
  const rise = bearer.top + bearer.height - mark.top - mark.height;
  return (
    bearer !== mark &&
    mark.height < bearer.height * SMALL &&
    Math.abs(gap) < CLOSE * characterWidth(bearer) &&
    rise > bearer.height * RAISED &&
    mark.top < bearer.top + bearer.height * 0.3 &&
    rise < bearer.height
  );
}
