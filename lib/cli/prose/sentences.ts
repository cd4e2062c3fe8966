/** Lengths of sentences in words, and how many of them are long. */
export interface SentenceFigures {
  readonly count: number;
  readonly meanWords: number;
  readonly longShare: number;
}

/** Words of a sentence above which it counts as long. */
const MAX_SENTENCE_WORDS = 25;

/** The sentences of Markdown prose: no code, no table rows, no link targets. */
function sentencesOf(markdown: string): string[] {
  const text = markdown
    .replaceAll(/```[\s\S]*?```/g, "")
    .replaceAll(/^\|.*$/gm, "")
    .replaceAll(/`[^`]*`/g, "x")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const paragraphs = text
    .split(/\n\s*\n|\n(?=\s*(?:[-#*]|\d+\.) )/)
    .map((paragraph) => paragraph.replaceAll("\n", " "));
  return paragraphs
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?:;])\s+(?=[A-Z`])/))
    .filter((one) => wordCount(one) > 2);
}

const wordCount = (sentence: string) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** Sentence figures of several texts together. */
export function sentenceFigures(texts: readonly string[]): SentenceFigures {
  const lengths = texts.flatMap(sentencesOf).map(wordCount);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const long = lengths.filter((length) => length > MAX_SENTENCE_WORDS).length;
  return { count: lengths.length, meanWords: total / lengths.length, longShare: long / lengths.length };
}
