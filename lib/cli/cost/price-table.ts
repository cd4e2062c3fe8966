import * as z from "zod";
import table from "../../../data/aws-prices.json" with { type: "json" };

const price = z.strictObject({
  label: z.string(),
  /** Dollars for `per` units. */
  price: z.number().positive(),
  per: z.number().positive(),
  unit: z.string(),
  /** Free units of an account per month, over all its applications. */
  free: z.number().nonnegative(),
  owner: z.url(),
  page: z.url(),
  read: z.iso.date(),
});

const assumption = z.strictObject({ value: z.number().positive(), why: z.string().min(20), page: z.url().optional() });

const priceTable = z.strictObject({
  what: z.string(),
  region: z.string(),
  currency: z.literal("USD"),
  /** Hours per month. */
  hours: z.number().positive(),
  prices: z.record(z.string(), price),
  assumed: z.record(z.string(), assumption),
  freeWhileIdle: z.record(z.string().regex(/^AWS::\w+::\w+$/), z.string().min(5)),
});

/** Prices of AWS, assumptions about its services, and resource types that are free while idle; see docs/cost.md. */
export const prices = priceTable.parse(table);

/** Finds a price by its name in data/aws-prices.json. @throws Error for an unknown name. */
export function findPrice(name: string): z.output<typeof price> {
  const found = prices.prices[name];
  if (!found) throw new Error(`data/aws-prices.json has no price ${name}`);
  return found;
}

/** Finds an assumption by its name in data/aws-prices.json. @throws Error for an unknown name. */
export function findAssumption(name: string): number {
  const found = prices.assumed[name];
  if (!found) throw new Error(`data/aws-prices.json has no assumption ${name}`);
  return found.value;
}
