import type { PhlebotomyProvider } from "../../domain/places/phlebotomy.ts";
import { labOfPackedSite, type Site, siteColumns, unpackSite } from "../../domain/places/site.ts";
import { ZipTable } from "../../domain/places/zip-table.ts";

/** The unpacked data files of places. */
export interface Places {
  readonly zips: ZipTable;
  /** The patient service centers of a laboratory. */
  readonly sitesOf: (lab: string) => readonly Site[];
  readonly phlebotomy: readonly PhlebotomyProvider[];
}

let loaded: Promise<Places> | undefined;

/** Loads the data files of places. The first call reads them; the container caches the result. */
export function loadPlaces(): Promise<Places> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Places> {
  const [zips, sites, phlebotomy] = await Promise.all([
    import("../../../data/places/zips.json", { with: { type: "json" } }),
    import("../../../data/places/sites.json", { with: { type: "json" } }),
    import("../../../data/places/phlebotomy.json", { with: { type: "json" } }),
  ]);
  const { columns, rows } = sites.default;
  if (columns.join() !== siteColumns.join())
    throw new Error("data/places/sites.json has other columns than the code: pack it again");
  return {
    zips: new ZipTable(Buffer.from(zips.default.packed, "base64"), zips.default.count),
    sitesOf: createSiteReader(Map.groupBy(rows, labOfPackedSite)),
    phlebotomy: phlebotomy.default.providers,
  };
}

/** Unpacks the sites of a laboratory at first use, since most containers never need all laboratories. */
function createSiteReader(packed: ReadonlyMap<string, readonly string[]>): Places["sitesOf"] {
  const unpacked = new Map<string, readonly Site[]>();
  return (lab) => {
    const sites = unpacked.get(lab) ?? (packed.get(lab) ?? []).map(unpackSite);
    unpacked.set(lab, sites);
    return sites;
  };
}
