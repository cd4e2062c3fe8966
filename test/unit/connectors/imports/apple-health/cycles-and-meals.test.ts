import { describe, expect, test } from "vitest";
import { importTwice } from "../import-run.ts";

const record = (type: string, day: string, value: string, more = "", inner = "") =>
  `<Record type="HK${type}" sourceName="Diary" startDate="2024-${day} 23:30:00 +0200" endDate="2024-${day} 23:30:00 +0200" value="${value}" ${more}>${inner}</Record>`;
const metadata = (key: string, value: string) => `<MetadataEntry key="${key}" value="${value}"/>`;
const category = (type: string, day: string, value: string, inner = "") =>
  record(`CategoryTypeIdentifier${type}`, day, `HKCategoryValue${value}`, "", inner);
const nutrient = (type: string, value: string, unit: string, inner = "") =>
  record(`QuantityTypeIdentifierDietary${type}`, "05-01", value, `unit="${unit}"`, inner);

const importExport = (...elements: string[]) =>
  importTwice({ "export.xml": `<!DOCTYPE HealthData []><HealthData>${elements.join("\n")}</HealthData>` }, false);

describe("menstrual cycles", () => {
  test("start with the flow that says so, and hold the entries until the next start", async () => {
    const start = metadata("HKMenstrualCycleStart", "1");
    const { first, second, records } = await importExport(
      category("CervicalMucusQuality", "03-01", "CervicalMucusQualityDry"),
      category("MenstrualFlow", "04-01", "MenstrualFlowMedium", start),
      category("MenstrualFlow", "04-03", "MenstrualFlowLight", metadata("HKMenstrualCycleStart", "0")),
      category("MenstrualFlow", "04-04", "MenstrualFlowNone", metadata("HKMenstrualCycleStart", "0")),
      category("OvulationTestResult", "04-14", "OvulationTestResultLuteinizingHormoneSurge"),
      category("SexualActivity", "04-15", "NotApplicable", metadata("HKSexualActivityProtectionUsed", "1")),
      category("IrregularMenstrualCycles", "04-20", "NotApplicable"),
      category("Contraceptive", "04-20", "ContraceptiveFuture"),
      category("MenstrualFlow", "04-30", "MenstrualFlowHeavy", start),
    );
    expect(records.menstrual_cycle).toEqual([
      {
        period_start: "2024-04-01",
        period_end: "2024-04-03",
        cycle_end: "2024-04-29",
        menstrual_flow: [
          { date: "2024-04-01", flow: "medium" },
          { date: "2024-04-03", flow: "light" },
          { date: "2024-04-04", flow: "none" },
        ],
        ovulation_test: [{ date: "2024-04-14", test_result: "luteinizing_hormone_surge" }],
        sexual_activity: [{ date: "2024-04-15", protection_used: true }],
        detected_deviations: [{ date: "2024-04-20", deviation: "irregular_menstrual_cycles" }],
      },
      {
        period_start: "2024-04-30",
        period_end: "2024-04-30",
        cycle_end: null,
        menstrual_flow: [{ date: "2024-04-30", flow: "heavy" }],
      },
    ]);
    expect(Object.fromEntries(first.leftOut)).toEqual({ "part of a menstrual cycle": 8, "bad value": 1 });
    expect([first.stored, first.rejected.size, first.difference, second.unchanged]).toEqual([2, 0, 0, 2]);
  });
});

describe("meals", () => {
  test("hold the nutrients of one app and instant in the units of the service", async () => {
    const food = metadata("HKFoodType", "Soup");
    const { first, second, records } = await importExport(
      nutrient("EnergyConsumed", "418.4", "kJ", food),
      nutrient("Protein", "12", "g", food),
      nutrient("Protein", "3", "g", food),
      nutrient("FatSaturated", "4", "g", food),
      nutrient("Sodium", "0.5", "g", food),
      nutrient("VitaminB12", "2", "mcg", food),
      nutrient("Copper", "900", "mcg", food),
      nutrient("Iron", "5", "oranges", food),
      nutrient("Carbohydrates", "20", "g", food),
    );
    expect(records.meal).toEqual([
      {
        timestamp: "2024-05-01T23:30:00+02:00",
        name: "Soup",
        energy: { unit: "kcal", value: 100 },
        macros: { protein: 15, fats: { saturated: 4 } },
        micros: { minerals: { sodium: 500 }, vitamins: { vitamin_b12: 2 }, trace_elements: { copper: 0.9 } },
      },
    ]);
    expect(records.carbohydrates).toMatchObject([{ value: 20 }]);
    expect(Object.fromEntries(first.leftOut)).toEqual({ "part of a meal": 7, "unknown unit": 1 });
    expect([first.stored, first.dropped.size, first.difference, second.unchanged]).toEqual([2, 0, 0, 2]);
  });
});

test("the walking heart rate joins the activity of its day", async () => {
  const rate = (type: string, value: string) =>
    record(`QuantityTypeIdentifier${type}`, "05-01", value, 'unit="count/min"');
  const { records } = await importExport(rate("RestingHeartRate", "52"), rate("WalkingHeartRateAverage", "95"));
  expect(records.activity).toEqual([
    { calendar_date: "2024-05-01", heart_rate: { resting_bpm: 52, avg_walking_bpm: 95 } },
  ]);
});
