import type { ImportFormat } from "./format.ts";
import { readHead, type SourceFile } from "./reading/source-file.ts";

/** A file of a known kind. */
export interface RecognisedFile {
  readonly file: SourceFile;
  readonly format: ImportFormat;
  /** Index of its kind in the format. */
  readonly kind: number;
}

/** The files that an import reads, in their order, and the others. */
interface RecognisedSource {
  readonly known: readonly RecognisedFile[];
  readonly others: readonly SourceFile[];
}

/** Recognises files by their content. A file belongs to the first format with a kind that recognises it. */
export async function recogniseFiles(
  files: readonly SourceFile[],
  formats: readonly ImportFormat[],
): Promise<RecognisedSource> {
  const found: RecognisedFile[] = [];
  for (const file of files) {
    const one = await recogniseFile(file, formats);
    if (one) found.push(one);
  }
  const present = new Set(found.filter((one) => !kindOf(one)?.isBeside).map(({ format }) => format));
  const known = found
    .filter(({ format }) => present.has(format))
    .sort((a, b) => formats.indexOf(a.format) - formats.indexOf(b.format) || a.kind - b.kind);
  const read = new Set(known.map(({ file }) => file));
  return { known, others: files.filter((file) => !read.has(file)) };
}

const kindOf = ({ format, kind }: RecognisedFile) => format.kinds[kind];

async function recogniseFile(file: SourceFile, formats: readonly ImportFormat[]): Promise<RecognisedFile | undefined> {
  const candidates = formats.flatMap((format) =>
    format.kinds.flatMap(({ recognise }, kind) =>
      recognise.path?.test(file.path) === false ? [] : [{ file, format, kind, head: recognise.head }],
    ),
  );
  // The content of a file that no kind can recognise by its path stays unread.
  if (candidates.length === 0) return undefined;
  const head = await readHead(file);
  const match = candidates.find((one) => one.head.test(head));
  return match && { file, format: match.format, kind: match.kind };
}
