import { blood } from "./analytes-blood.ts";
import { chemistry } from "./analytes-chemistry.ts";
import { special } from "./analytes-special.ts";

/** A unit as one kind of laboratory prints it, with what a value in the first unit is multiplied by. */
export interface Unit {
  readonly text: string;
  readonly factor: number;
  readonly decimals: number;
  /** Null when the catalogue has no code for the analyte in this unit. */
  readonly loinc: string | null;
}

/** What is usual: an interval (open bounds when one-sided), or a text. */
export type Usual =
  | { readonly kind: "interval"; readonly min: number | null; readonly max: number | null; readonly isStrict: boolean }
  | { readonly kind: "text"; readonly expected: string | null; readonly unusual: readonly string[] }
  | { readonly kind: "count"; readonly expected: string; readonly unusual: readonly string[] };

/** Something that a laboratory measures. */
export interface Analyte {
  readonly key: string;
  readonly names: readonly string[];
  /** By spelling: of the big chains (x10E3/uL), of hospitals (K/uL), written out (Thousand/uL), SI (10^9/L). */
  readonly units: readonly Unit[];
  readonly usual: Usual;
}

const decimalsOf = (text: string): number => text.split(".")[1]?.length ?? 0;

/** Units are `text*factor:decimals@`; "@" at the end says that the code of the first unit does not hold for it. */
function unit(text: string, first: { readonly loinc: string | null; readonly decimals: number }): Unit {
  const [label = "", scale = ""] = text.replace("@", "").split("*");
  const [factor, decimals] = scale.split(":");
  return {
    text: label,
    factor: factor ? Number(factor) : 1,
    decimals: decimals ? Number(decimals) : first.decimals,
    loinc: text.endsWith("@") ? null : first.loinc,
  };
}

function usual(text: string): Usual {
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

/** Ten-power factors are written with one asterisk more than a scale has: "10*3/uL" is no unit here, "x10E3/uL" is. */
function analyte(line: string): Analyte {
  const [key = "", code = "", names = "", units = "", range = "", decimals = "0"] = line.split("|");
  const first = {
    loinc: code === "-" ? null : code,
    decimals: Math.max(Number(decimals), decimalsOf(range.split("..")[1] ?? "")),
  };
  const spelled = units.split(";");
  const filled = [0, 1, 2, 3].map((place) => spelled[place] || spelled[0] || "");
  return { key, names: names.split(";"), units: filled.map((text) => unit(text, first)), usual: usual(range) };
}

/** All analytes by key, those that are outside the catalogue without a code. */
export const analytes: ReadonlyMap<string, Analyte> = new Map(
  [chemistry, blood, special]
    .flatMap((text) => text.trim().split("\n"))
    .map((line) => [line.split("|")[0] ?? "", analyte(line)]),
);
