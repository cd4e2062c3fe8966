import type { LabTest } from "./lab-test.ts";
import type { CollectionMethod } from "./wire-lab-test.ts";

/** Creation time of the default lab tests, so that they sort before the tests of teams. */
const WRITTEN_AT = "2024-01-01T00:00:00.000Z";

interface Default {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly method: CollectionMethod;
  readonly lab: string;
  readonly provider_ids: readonly string[];
}

/** One test per collection method, of markers without questions at order entry. */
const defaults: readonly Default[] = [
  {
    id: 1,
    name: "Heart health at home",
    description: "Cholesterol, blood sugar and inflammation from a few drops of blood",
    method: "testkit",
    lab: "ussl",
    provider_ids: ["30506", "30173", "30206"],
  },
  {
    id: 2,
    name: "General wellness",
    description: "Blood count, metabolism, lipids, sugar and thyroid",
    method: "walk_in_test",
    lab: "quest",
    provider_ids: ["90546"],
  },
  {
    id: 3,
    name: "Thyroid and vitamins",
    description: "Thyroid hormones, vitamin D and vitamin B12, taken at home",
    method: "at_home_phlebotomy",
    lab: "quest",
    provider_ids: ["90513", "90198", "90199"],
  },
  {
    id: 4,
    name: "Metabolic check",
    description: "Kidneys, liver, sugar and electrolytes, taken on site",
    method: "on_site_collection",
    lab: "labcorp",
    provider_ids: ["300501", "300511"],
  },
];

/** Default lab tests of every team in a sandbox. */
export const defaultLabTests: readonly LabTest[] = defaults.map(({ id, provider_ids, ...about }) => ({
  ...about,
  lab_test_id: `00000000-0000-4000-9000-${String(id).padStart(12, "0")}`,
  team_id: null,
  provider_ids: [...provider_ids],
  fasting: false,
  is_active: true,
  auto_generated: false,
  created_at: WRITTEN_AT,
  updated_at: WRITTEN_AT,
}));
