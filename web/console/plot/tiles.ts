import type { Range } from "../api/series.ts";

/** Width of the narrowest tile. All others are this width times a power of two. */
const NARROWEST_MS = 60_000;

/** A part of the time axis at one level of detail. */
export interface Tile extends Range {
  readonly key: string;
}

/** Width of the tiles for a view: at least half of the view, so that a view shows two or three tiles. */
export function tileWidth({ from, to }: Range): number {
  const level = Math.max(0, Math.ceil(Math.log2((to - from) / 2 / NARROWEST_MS)));
  return NARROWEST_MS * 2 ** level;
}

/** The tile of a width that contains an instant. */
export function tileAt(ms: number, width: number): Tile {
  const from = Math.floor(ms / width) * width;
  return { from, to: from + width, key: `${width} ${from}` };
}

/** The tiles of a width that a range touches, in order of time. */
export function tilesOf({ from, to }: Range, width: number): readonly Tile[] {
  const tiles: Tile[] = [];
  for (let tile = tileAt(from, width); tile.from < to; tile = tileAt(tile.to, width)) tiles.push(tile);
  return tiles;
}
