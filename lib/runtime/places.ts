import type { PhlebotomyProvider } from "../domain/places/phlebotomy.ts";
import { labOfPacked, type Site, siteColumns, unpackSite } from "../domain/places/site.ts";
import { ZipTable } from "../domain/places/zip-pack.ts";

/** Where things are: the data files of places, unpacked. */
export interface Places {
  readonly zips: ZipTable;
  /** The patient service centers of a laboratory. */
  readonly sitesOf: (lab: string) => readonly Site[];
  readonly phlebotomy: readonly PhlebotomyProvider[];
}

let loaded: Promise<Places> | undefined;

/** The data files, read by the first request that needs them and kept for the container's life. */
export function places(): Promise<Places> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Places> {
  const [zips, sites, phlebotomy] = await Promise.all([
    import("../../data/places/zips.json", { with: { type: "json" } }),
    import("../../data/places/sites.json", { with: { type: "json" } }),
    import("../../data/places/phlebotomy.json", { with: { type: "json" } }),
  ]);
  const { columns, rows } = sites.default;
  if (columns.join() !== siteColumns.join()) throw new Error("the list of sites has other columns: pack it again");
  return {
    zips: new ZipTable(Buffer.from(zips.default.packed, "base64"), zips.default.count),
    sitesOf: unpackingOnce(Map.groupBy(rows, labOfPacked)),
    phlebotomy: phlebotomy.default.providers,
  };
}

/** Unpacks the sites of a laboratory when they are asked for first: most containers are never asked for all. */
function unpackingOnce(packed: ReadonlyMap<string, readonly string[]>): Places["sitesOf"] {
  const unpacked = new Map<string, readonly Site[]>();
  return (lab) => {
    const sites = unpacked.get(lab) ?? (packed.get(lab) ?? []).map(unpackSite);
    unpacked.set(lab, sites);
    return sites;
  };
}
