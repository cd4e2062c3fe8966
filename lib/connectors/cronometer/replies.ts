import * as z from "zod";

/** Response schemas of Cronometer's partner API, limited to the fields that the connector reads. */

const number = z.number().nullish();

/** Nutrients of a group of the diary: kcal; minerals in mg, all others in g. */
const macros = z.object({
  kcal: number,
  protein: number,
  total_carbs: number,
  fat: number,
  fiber: number,
  alcohol: number,
  sodium: number,
  potassium: number,
  magnesium: number,
});

const group = z.object({
  name: z.string(),
  macros,
  foods: z.array(z.unknown()).nullish(),
});
export type DiaryGroup = z.output<typeof group>;

export const diary = z.object({ day: z.string(), foods: z.array(group).nullish() });

export const tokenOwner = z.object({ user_id: z.union([z.string(), z.number()]) });
