import { labs } from "./labs.ts";
import { type Marker, toMarker } from "./marker.ts";
import type { PackedCatalogue } from "./packed-catalogue.ts";
import { WordIndex } from "./word-index.ts";

/** Filter of markers; an undefined field does not filter. */
export interface MarkerFilter {
  readonly labIds?: ReadonlySet<number> | undefined;
  /** Name or test code; tolerates typos. */
  readonly name?: string | undefined;
  readonly aLaCarte?: boolean | undefined;
}

/** All markers of all labs, with lookup and search. */
export class Catalogue {
  readonly markers: readonly Marker[];
  readonly packed: PackedCatalogue;
  readonly #byId: ReadonlyMap<number, Marker>;
  readonly #byCode: ReadonlyMap<string, Marker>;
  #index: WordIndex | undefined;

  constructor(from: PackedCatalogue) {
    this.packed = from;
    this.markers = labs.flatMap((lab) => (from.offers[lab.slug] ?? []).map((offer) => toMarker(from, lab, offer)));
    this.#byId = new Map(this.markers.map((marker) => [marker.wire.id, marker]));
    this.#byCode = new Map(this.markers.map((marker) => [codeKey(marker.lab.id, marker.wire.provider_id), marker]));
  }

  findById(id: number): Marker | undefined {
    return this.#byId.get(id);
  }

  /** Finds a marker by the lab's own test code. */
  findByCode(labId: number, providerId: string): Marker | undefined {
    return this.#byCode.get(codeKey(labId, providerId));
  }

  /** Filters markers. Sorted by relevance when `name` is given, otherwise in catalogue order, lab by lab. */
  find({ labIds, name = "", aLaCarte }: MarkerFilter): Marker[] {
    const candidates = name.trim() === "" ? this.markers : this.search(name).map(({ marker }) => marker);
    return candidates.filter(({ lab, wire }) => {
      const isOfLab = labIds === undefined || labIds.has(lab.id);
      return isOfLab && (aLaCarte === undefined || wire.a_la_carte_enabled === aLaCarte);
    });
  }

  /** Searches markers by name or test code, best match first; `fit` is 0 for an exact match and grows with distance. */
  search(typed: string): { readonly marker: Marker; readonly fit: number }[] {
    this.#index ??= new WordIndex(this.markers.map(({ test, wire }) => markerSearchText(test, wire.provider_id)));
    return this.#index.search(typed).flatMap(({ place, fit }) => {
      const marker = this.markers[place];
      return marker ? { marker, fit } : [];
    });
  }

  /** Reflex markers at the same labs that the results of these markers may trigger, without the markers themselves. */
  reflexMarkersOf(markers: readonly Marker[]): Marker[] {
    const tests = new Set(markers.flatMap(({ test }) => test.reflex.map((place) => this.packed.tests[place])));
    const labIds = new Set(markers.map(({ lab }) => lab.id));
    return this.find({ labIds }).filter((marker) => tests.has(marker.test) && !markers.includes(marker));
  }
}

const codeKey = (labId: number, providerId: string) => `${labId} ${providerId}`;

/** Text that the search index holds for a marker. */
export const markerSearchText = (test: { name: string; also: string }, providerId: string): string =>
  `${test.name} ${test.also} ${providerId}`;
