import type { Layout } from "../layout.ts";

/** Layouts that nobody tunes on: they say how well reports are read that were never seen. None is left: the last are among the ordinary ones. */
export const keptAside: readonly Layout[] = [];
