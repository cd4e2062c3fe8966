import { expectResult, type Specification } from "../specification.ts";

/** The value at each instant, with the id of its batch. Ids of batches sort by the time of receipt. */
type Samples = Readonly<Record<string, readonly [value: string, receipt: string]>>;

/** The samples of one time bucket. Of two values of an instant, the one received last stays, in any order of storing. */
export const samplesSpecification: Specification<Samples> = {
  initial: {},
  after(state, operation) {
    if (operation.name === "read") {
      const shown = Object.entries(state).map(([instant, [value]]) => `${instant}=${value}`);
      return expectResult(state, operation, shown.sort());
    }
    const [receipt = "", ...sent] = operation.args;
    const next: Record<string, readonly [string, string]> = { ...state };
    for (const [instant = "", value = ""] of sent.map((one) => one.split("="))) {
      const [, known = ""] = next[instant] ?? [];
      if (receipt > known) next[instant] = [value, receipt];
    }
    return expectResult(state, operation, ["done"], next);
  },
};
