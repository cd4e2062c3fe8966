import { readFileSync } from "node:fs";

/** An excerpt of a recipe: the text of a new file, or changes of a file that exists. */
export interface RecipeExcerpt {
  readonly file: string;
  readonly kind: "new file" | "changes";
  readonly text: string;
}

/** One row of a recipe's table. */
interface RecipeRow {
  readonly file: string;
  readonly isNew: boolean;
  readonly kind: string;
}

/** A recipe as CONTRIBUTING.md shows it. */
export interface Recipe {
  readonly title: string;
  /** Files that the page counts, by kind. */
  readonly counts: Readonly<Record<"code" | "page" | "test", number>>;
  readonly rows: readonly RecipeRow[];
  readonly excerpts: readonly RecipeExcerpt[];
}

const COUNTS = /\*\*Files: (\d+) of code, (\d+) pages?, (\d+) tests?\.\*\*/;
const ROW = /^\| (\*\*|`)([\w./-]+)(?:\*\*|`) \| (\w+) \|/gm;
const EXCERPT = /^(\*\*|`)([\w./-]+)(?:\*\*|`)\n\n```(?:ts|diff)\n([\s\S]*?)^```$/gm;
const NEW_FILE = "**";

/** Reads one section. @throws Error if the section counts no files. */
function parseRecipe(section: string): Recipe {
  const [title = ""] = section.split("\n", 1);
  const counts = COUNTS.exec(section)?.slice(1).map(Number);
  if (!counts) throw new Error(`the recipe "${title}" does not count its files`);
  const [code = 0, page = 0, test = 0] = counts;
  const rows = [...section.matchAll(ROW)].map(([, mark, file = "", kind = ""]) => ({
    file,
    isNew: mark === NEW_FILE,
    kind,
  }));
  const excerpts = [...section.matchAll(EXCERPT)].map(
    ([, mark, file = "", text = ""]): RecipeExcerpt => ({
      file,
      kind: mark === NEW_FILE ? "new file" : "changes",
      text,
    }),
  );
  return { title, counts: { code, page, test }, rows, excerpts };
}

/** The recipes of a page, in order. */
export function readRecipes(page = readFileSync("CONTRIBUTING.md", "utf8")): Recipe[] {
  const [, recipes = ""] = page.split("\n## Recipes\n");
  return recipes.split(/^### /m).slice(1).map(parseRecipe);
}
