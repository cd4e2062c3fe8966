import { execFileSync } from "node:child_process";
import { searchRadii } from "../../lib/domain/places/nearest-sites.ts";
import { lookUpPscs } from "../../lib/services/places/place-lookup.ts";
import { loadPlaces } from "../../lib/services/places/places.ts";
import { type BenchPart, median, rowUpTo } from "./bench-row.ts";

const LOOKUP_COUNT = 2_000;
const PROCESS_COUNT = 7;

/** Measures a new process. @returns CPU milliseconds to read the data files and unpack one laboratory's sites. */
function loadMs(): number {
  const program = `
    const spentMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
    const { loadPlaces } = await import("./lib/services/places/places.ts");
    const startedAt = spentMs();
    (await loadPlaces()).sitesOf("quest");
    console.log(spentMs() - startedAt);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" }));
}

/** Measures patient service centers: the load time of the data, and the time of a lookup in process. */
export async function measurePlaceLookups(): Promise<BenchPart> {
  const { zips } = await loadPlaces();
  const codes = [...zips].map(({ zip }) => String(zip).padStart(5, "0"));
  const lab = { id: 4, slug: "quest" };
  const times: number[] = [];
  for (let index = 0; index < LOOKUP_COUNT; index++) {
    const zipCode = codes[(index * 7_919) % codes.length] ?? "";
    const radius = searchRadii[index % searchRadii.length] ?? "25";
    const startedAt = performance.now();
    await lookUpPscs(lab, { zipCode, radius, header: "x-service-api-key" });
    times.push(performance.now() - startedAt);
  }
  const starts = Array.from({ length: PROCESS_COUNT }, loadMs);
  return {
    title: "Places",
    rows: [
      rowUpTo("a lookup of patient service centers in process, p50", 5, median(times), Number.NaN, " ms"),
      rowUpTo(
        "reading and unpacking zip codes and a lab's centers in a new process",
        30,
        median(starts),
        Number.NaN,
        " ms",
      ),
    ],
  };
}
