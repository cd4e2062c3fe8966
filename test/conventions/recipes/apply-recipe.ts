import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Recipe, RecipeExcerpt } from "./read-recipes.ts";

/** Applies the excerpts of a recipe to a copy of the repository. @throws Error for an excerpt that does not fit. */
export function applyRecipe(directory: string, { excerpts }: Pick<Recipe, "excerpts">): void {
  for (const excerpt of excerpts) {
    const path = join(directory, excerpt.file);
    if (existsSync(path) !== (excerpt.kind === "changes"))
      throw new Error(`${excerpt.file} is no ${excerpt.kind === "changes" ? "file that exists" : "new file"}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, excerpt.kind === "changes" ? changeText(readFileSync(path, "utf8"), excerpt) : excerpt.text);
  }
}

/** Applies the hunks of an excerpt, each to the one place that it fits. */
function changeText(text: string, { file, text: excerpt }: RecipeExcerpt): string {
  return excerpt.split(/^@@\n/m).reduce((changed, hunk) => {
    const lines = hunk.trimEnd().split("\n");
    const without = (marker: string) => lines.filter((line) => !line.startsWith(marker)).map((line) => line.slice(1));
    const [before, after] = [without("+").join("\n"), without("-").join("\n")];
    const places = changed.split(before).length - 1;
    if (before === "" || places !== 1) throw new Error(`${file} has ${places} places for:\n${before}`);
    return changed.replace(before, () => after);
  }, text);
}
