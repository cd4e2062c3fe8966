import { formatInstant } from "../../../domain/shared/instant.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import type { ExpectedRecords } from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** Macronutrients of a meal or a day: kcal; minerals in mg, all others in g. */
export interface Macros {
  readonly kcal: number;
  readonly protein: number;
  readonly total_carbs: number;
  readonly net_carbs: number;
  readonly fat: number;
  readonly fiber: number;
  readonly alcohol: number;
  readonly sodium: number;
  readonly potassium: number;
  readonly magnesium: number;
}

/** A group of a day's diary. The diary states no times. */
interface DiaryGroup {
  readonly name: string;
  readonly foods: readonly { readonly name: string; readonly serving: string }[];
  readonly macros: Macros;
}

const groups = [
  { name: "Breakfast", share: 25, foods: ["Rolled oats", "Milk"] },
  { name: "Lunch", share: 35, foods: ["Lentil soup", "Rye bread"] },
  { name: "Dinner", share: 40, foods: ["Brown rice", "Tofu", "Broccoli"] },
];

/** The diary of a day. Its energy varies with the movement of the day. */
export function listDiaryGroups(day: SyntheticDay): DiaryGroup[] {
  const kcalOfDay = 1_600 + (day.steps % 900);
  return groups.map(({ name, share, foods }) => {
    const kcal = Math.round((kcalOfDay * share) / 100);
    const total_carbs = Math.round(kcal * 1.25) / 10;
    const fiber = Math.round(kcal * 0.15) / 10;
    const macros = {
      kcal,
      protein: Math.round(kcal * 0.5) / 10,
      total_carbs,
      net_carbs: Math.round((total_carbs - fiber) * 10) / 10,
      fat: Math.round(kcal * 0.33) / 10,
      fiber,
      alcohol: 0,
      sodium: kcal,
      potassium: Math.round(kcal * 1.6),
      magnesium: Math.round(kcal * 0.2),
    };
    return { name, foods: foods.map((food) => ({ name: food, serving: "1 cup" })), macros };
  });
}

/** Expected meals: the day and the group identify a meal, which stands at midnight of the day. */
export function expectedCronometerRecords(
  _: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { over } = selectAvailableData(days, nowMs);
  return {
    meal: over.flatMap((day) =>
      listDiaryGroups(day).map(({ name, macros }) => ({
        provider_id: `${day.date} ${name}`,
        calendar_date: day.date,
        timestamp: formatInstant(Date.parse(day.date)),
        name,
        energy: { unit: "kcal", value: macros.kcal },
        macros: {
          carbs: macros.total_carbs,
          protein: macros.protein,
          fats: { total: macros.fat },
          fibre: macros.fiber,
          alcohol: macros.alcohol,
        },
        micros: {
          minerals: { sodium: macros.sodium, potassium: macros.potassium, magnesium: macros.magnesium },
        },
      })),
    ),
  };
}
