import { bloodAnalytes } from "./blood.ts";
import { chemistryAnalytes } from "./chemistry.ts";
import { specialAnalytes } from "./special.ts";

/** A unit as one kind of laboratory prints it, with the factor for a value in the first unit. */
export interface PrintedUnit {
  readonly text: string;
  readonly factor: number;
  readonly decimals: number;
  /** Null if the catalogue has no code for the analyte in this unit. */
  readonly loinc: string | null;
}

/** Reference values: an interval (one bound may be open), a text, or a count. */
type ReferenceValues =
  | { readonly kind: "interval"; readonly min: number | null; readonly max: number | null; readonly isStrict: boolean }
  | { readonly kind: "text"; readonly expected: string | null; readonly unusual: readonly string[] }
  | { readonly kind: "count"; readonly expected: string; readonly unusual: readonly string[] };

/** A quantity that a laboratory measures. */
export interface Analyte {
  readonly key: string;
  readonly names: readonly string[];
  /** By spelling: large chains (x10E3/uL), hospitals (K/uL), written out (Thousand/uL), SI (10^9/L). */
  readonly units: readonly PrintedUnit[];
  readonly reference: ReferenceValues;
}

const decimalsOf = (text: string): number => text.split(".")[1]?.length ?? 0;

/** Units are `text*factor:decimals@`. A final "@" means that the code of the first unit does not apply. */
function unit(text: string, first: { readonly loinc: string | null; readonly decimals: number }): PrintedUnit {
  const [label = "", scale = ""] = text.replace("@", "").split("*");
  const [factor, decimals] = scale.split(":");
  return {
    text: label,
    factor: factor ? Number(factor) : 1,
    decimals: decimals ? Number(decimals) : first.decimals,
    loinc: text.endsWith("@") ? null : first.loinc,
  };
}

function usual(text: string): ReferenceValues {
  const [kind, rest] = text.split(":");
  if (rest !== undefined) {
    const [expected = "", unusual = ""] = rest.split("/");
    const others = unusual.split(",");
    if (kind === "count") return { kind, expected, unusual: others };
    return { kind: "text", expected: expected === "" ? null : expected, unusual: others };
  }
  const [low = "", high = ""] = text.split("..");
  const bound = (side: string) => (side === "" ? null : Number(side.replace(/[<>]/, "")));
  return { kind: "interval", min: bound(low), max: bound(high), isStrict: /[<>]/.test(text) };
}

/** Powers of ten are not unit factors: "10*3/uL" is no unit here, "x10E3/uL" is. */
function analyte(line: string): Analyte {
  const [key = "", code = "", names = "", units = "", range = "", decimals = "0"] = line.split("|");
  const first = {
    loinc: code === "-" ? null : code,
    decimals: Math.max(Number(decimals), decimalsOf(range.split("..")[1] ?? "")),
  };
  const spelled = units.split(";");
  const filled = [0, 1, 2, 3].map((place) => spelled[place] || spelled[0] || "");
  return { key, names: names.split(";"), units: filled.map((text) => unit(text, first)), reference: usual(range) };
}

/** All analytes by key. Those outside the catalogue have no code. */
export const analytes: ReadonlyMap<string, Analyte> = new Map(
  [chemistryAnalytes, bloodAnalytes, specialAnalytes]
    .flatMap((text) => text.trim().split("\n"))
    .map((line) => [line.split("|")[0] ?? "", analyte(line)]),
);
