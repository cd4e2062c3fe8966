import { mergePoints } from "../api/merge-points.ts";
import { type Layer, type Point, type Range, type Series, sourceKey } from "../api/series.ts";
import { serviceNow } from "../api/service-clock.ts";
import { type Tile, tileAt, tilesOf, tileWidth } from "./tiles.ts";

/** Points of a tile. A view shows two or three tiles, so a point is about a pixel wide. */
export const POINTS_PER_TILE = 500;
/** Number of tiles that stay in memory: some minutes of looking around. */
const CAPACITY = 240;
/** How many levels above the requested one serve as a substitute while a tile loads. */
const SUBSTITUTE_LEVELS = 12;

type Load = (range: Range, signal: AbortSignal) => Promise<Series>;

/** What a view can draw at the moment. */
export interface View {
  readonly layers: readonly Layer[];
  readonly unit: string | undefined;
  readonly isComplete: boolean;
}

/**
 * Loads a series tile by tile. Looking at a range loads its missing tiles and aborts the requests of tiles that it no
 * longer needs. Until a tile is there, a wider tile that contains it stands in.
 */
export class TileStore {
  private readonly tiles = new Map<string, Series>();
  private readonly requests = new Map<string, AbortController>();
  private readonly load: Load;
  private readonly onChange: (error?: unknown) => void;

  /** @param onChange called when a tile arrives, or with the error of a tile that did not. */
  constructor(load: Load, onChange: (error?: unknown) => void) {
    this.load = load;
    this.onChange = onChange;
  }

  /** Requests the missing tiles of a range and the neighbours of both sides. */
  show(range: Range): void {
    const width = tileWidth(range);
    const wide = { from: range.from - width / 2, to: range.to + width / 2 };
    const needed = tilesOf(wide, width).filter(({ from }) => from <= serviceNow());
    const keys = new Set(needed.map(({ key }) => key));
    for (const [key, controller] of this.requests) if (!keys.has(key)) this.cancel(key, controller);
    for (const tile of needed) if (!this.tiles.has(tile.key) && !this.requests.has(tile.key)) void this.fetch(tile);
  }

  /** The points of a range that are in memory. */
  read(range: Range): View {
    const needed = tilesOf(range, tileWidth(range)).filter(({ from }) => from <= serviceNow());
    const found = needed.map((tile) => this.find(tile));
    const layers = new Map<string, { source: Layer["source"]; points: Point[] }>();
    for (const { tile, series } of found) for (const layer of series?.layers ?? []) append(layers, layer, tile);
    const sorted = [...layers].sort(([one], [other]) => one.localeCompare(other)).map(([, layer]) => layer);
    const unit = found.map(({ series }) => series?.unit).find(Boolean) ?? undefined;
    return { layers: sorted, unit, isComplete: needed.every(({ key }) => this.tiles.has(key)) };
  }

  /** Identifies what {@link read} reads of a range: it stays the same while a range moves within its tiles. */
  static keyOf(range: Range): string {
    return tilesOf(range, tileWidth(range))
      .map(({ key }) => key)
      .join();
  }

  /** Aborts all requests. */
  close(): void {
    for (const [key, controller] of this.requests) this.cancel(key, controller);
  }

  private cancel(key: string, controller: AbortController): void {
    this.requests.delete(key);
    controller.abort();
  }

  private async fetch(tile: Tile): Promise<void> {
    const controller = new AbortController();
    this.requests.set(tile.key, controller);
    try {
      const series = await this.load(tile, controller.signal);
      if (controller.signal.aborted) return;
      this.requests.delete(tile.key);
      this.tiles.set(tile.key, series);
      const [oldest] = this.tiles.keys();
      if (this.tiles.size > CAPACITY && oldest !== undefined) this.tiles.delete(oldest);
      this.onChange();
    } catch (error) {
      if (controller.signal.aborted) return;
      this.requests.delete(tile.key);
      this.onChange(error);
    }
  }

  /** A tile, or the narrowest wider one that contains it. */
  private find(tile: Tile): { readonly tile: Tile; readonly series: Series | undefined } {
    let width = tile.to - tile.from;
    for (let level = 0; level <= SUBSTITUTE_LEVELS; level++) {
      const series = this.tiles.get(tileAt(tile.from, width).key);
      if (series) return { tile, series };
      width *= 2;
    }
    return { tile, series: undefined };
  }
}

function append(
  layers: Map<string, { source: Layer["source"]; points: Point[] }>,
  { source, points }: Layer,
  { from, to }: Range,
): void {
  const key = sourceKey(source);
  const known = layers.get(key) ?? { source, points: [] };
  layers.set(key, known);
  const within = points.filter(([t]) => t >= from && t < to);
  known.points.push(...mergePoints(within, { from, to }, POINTS_PER_TILE));
}
