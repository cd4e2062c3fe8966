import type { MappingOutcome, OutgoingRecord } from "./mapping-outcome.ts";
import type { SourceFile } from "./reading/source-file.ts";

/** What the person who imports states beside the file. */
export interface ImportOptions {
  /** IANA time zone of local times, where the export states none. */
  readonly zone?: string | undefined;
}

/** A kind of file in an export. */
export interface FileKind<State> {
  /** Name of the files for people, with `*` for what varies. */
  readonly name: string;
  /** What the kind becomes: names of timeseries and summaries. */
  readonly resources: readonly string[];
  /** Recognises a file by its first 4 KiB (as Latin-1) and, where contents of kinds look alike, by its path. */
  readonly recognise: { readonly head: RegExp; readonly path?: RegExp };
  /** True if the file means something only beside another file of the format, and does not identify the format. */
  readonly isBeside?: boolean;
  /** Streams the outcome of every record of a file. @throws DamagedFile if the file is damaged. */
  readonly read: (file: SourceFile, state: State) => AsyncIterable<readonly MappingOutcome[]>;
}

/** An export format of a provider: one file per format declares it, and formats.ts lists it. */
export interface FormatDeclaration<State> {
  /** Name for people. */
  readonly title: string;
  /** Slug of the provider whose data it is. */
  readonly provider: string;
  /** Where the facts about the format come from. */
  readonly facts: readonly string[];
  /** In the order in which an import reads them. */
  readonly kinds: readonly FileKind<State>[];
  /** Creates what the readers of one import share. */
  readonly createState: (options: ImportOptions) => State;
  /** Records derived from several records, after all files were read. */
  readonly derive?: (state: State) => Iterable<OutgoingRecord>;
}

/** A format whose state only its own readers know. */
export interface ImportFormat extends Omit<FormatDeclaration<never>, "kinds" | "createState" | "derive"> {
  readonly kinds: readonly Omit<FileKind<never>, "read">[];
  /** Starts an import. */
  readonly start: (options: ImportOptions) => FormatReader;
}

/** Reads the files of one import. */
interface FormatReader {
  /** @param kind index of the kind of the file. */
  read(kind: number, file: SourceFile): AsyncIterable<readonly MappingOutcome[]>;
  derived(): Iterable<OutgoingRecord>;
}

/** Declares a format. */
export function defineFormat<State>(declaration: FormatDeclaration<State>): ImportFormat {
  const { kinds, createState, derive, ...about } = declaration;
  return {
    ...about,
    kinds,
    start: (options) => {
      const state = createState(options);
      return {
        read: (kind, file) => kinds[kind]?.read(file, state) ?? nothing(),
        derived: () => derive?.(state) ?? [],
      };
    },
  };
}

async function* nothing(): AsyncGenerator<readonly MappingOutcome[]> {}
