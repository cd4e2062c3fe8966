import type { PrintedRow } from "../../content/printed-row.ts";
import type { Rewording } from "../../content/rewordings.ts";

const named = (row: PrintedRow, name: string): PrintedRow => ({
  ...row,
  cells: { ...row.cells, test: name },
  truth: { ...row.truth, test_name: name },
});

const ofBlood = new Set(
  "wbc rbc hemoglobin hematocrit mcv mch mchc rdw platelets mpv neutrophils-percent lymphocytes-percent monocytes-percent eosinophils-percent basophils-percent neutrophils lymphocytes monocytes eosinophils basophils immature-granulocytes nrbc a1c esr".split(
    " ",
  ),
);
const calculated = new Set("egfr egfr-mdrd bun-creatinine ag-ratio chol-hdl ldl-hdl inr iron-saturation".split(" "));
/** Analytes measured in plasma where others use serum. */
const ofPlasma = new Set("glucose pt aptt fibrinogen d-dimer antithrombin ammonia".split(" "));

const bare = (name = "") => name.replace(/, (Serum|Plasma)$/, "");

/** Names with a prefix letter for the specimen: blood, plasma, or the patient. */
export const withSpecimenPrefix: Rewording = (row) => {
  const letter = ofBlood.has(row.key) ? "B" : row.key === "inr" || !calculated.has(row.key) ? "P" : "Pt";
  return named(row, `${letter}-${bare(row.cells.test)}`);
};

/** British names: the specimen first, and British spelling. */
export const withBritishNames: Rewording = (row) => {
  const name = bare(row.cells.test).replace("Hemo", "Haemo").replace("Hemato", "Haemato");
  if (ofBlood.has(row.key) || calculated.has(row.key) || row.key.startsWith("u-")) return named(row, name);
  const low = /^[A-Z][a-z]/.test(name) ? `${name[0]?.toLowerCase()}${name.slice(1)}` : name;
  return named(row, `${ofPlasma.has(row.key) ? "Plasma" : "Serum"} ${low}`);
};

/** The code of the material of an analyte. */
export function materialCode({ key }: PrintedRow): string {
  if (key.startsWith("u-")) return "U";
  if (ofBlood.has(key)) return "EB";
  return ofPlasma.has(key) || key === "inr" ? "CP" : "S";
}

/** One-sided bounds in words. */
export const withBoundsSpelledOut: Rewording = (row) => {
  const { min, max, isStrict, number, unit } = row.measured;
  if (number === null || (min !== null && max !== null)) return row;
  const bound = (max ?? min ?? 0).toFixed(unit.decimals);
  const strict = max === null ? `more than ${bound}` : `less than ${bound}`;
  const loose = max === null ? `${bound} or more` : `${bound} or less`;
  return { ...row, cells: { ...row.cells, range: isStrict ? strict : loose } };
};
