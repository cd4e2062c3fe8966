import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Returns memory to the system after memory-intensive work. V8 keeps the pages of an idle process for reuse, so a first
 * start would hold a few hundred megabytes that it never needs again.
 */
export function releaseMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
