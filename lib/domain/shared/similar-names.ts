/** Maximum number of characters that a similar name has more, fewer or different. */
const MAX_DISTANCE = 3;
/** Minimum length of a name that counts as similar because it is part of the other. */
const MIN_PART_LENGTH = 4;

/** Returns the names that resemble `given`, the most similar first. */
export function findSimilarNames(given: string, names: readonly string[], most = 3): string[] {
  const sought = given.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  const rated = names.map((name) => ({ name, distance: distanceOf(sought, name) }));
  const near = rated.filter(({ distance }) => distance <= Math.min(MAX_DISTANCE, sought.length / 2));
  return near
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

/** The edit distance of two names, or the maximum if one contains the other. */
function distanceOf(one: string, other: string): number {
  const isPart =
    [one, other].every(({ length }) => length >= MIN_PART_LENGTH) && (one.includes(other) || other.includes(one));
  const distance =
    Math.abs(one.length - other.length) > MAX_DISTANCE ? Number.POSITIVE_INFINITY : countEdits(one, other);
  return isPart ? Math.min(distance, MAX_DISTANCE) : distance;
}

/** The number of inserted, removed and replaced characters between two texts (Levenshtein 1965). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at < row.length; at++) {
      const replaced = row[at - 1]! + Number(character !== other[at - 1]);
      next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
