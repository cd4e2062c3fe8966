import type { Order } from "../../domain/orders/order-move.ts";
import { dayText } from "./dates.ts";

/** Placeholder of a missing value. */
export const UNKNOWN = "Not given";

type Named = { readonly first_name: string | null; readonly last_name: string | null };
type Home = Pick<
  NonNullable<Order["patient_address"]>,
  "first_line" | "second_line" | "city" | "state" | "zip" | "country"
>;

/** First and last name of a person. */
export const nameOf = (person: Named | null): string =>
  [person?.first_name, person?.last_name].filter(Boolean).join(" ") || UNKNOWN;

/** Date of birth of an order's patient, YYYY-MM-DD. */
export const birthday = (order: Order): string =>
  order.patient_details ? dayText(order.patient_details.dob) : UNKNOWN;

/** An address on separate lines, without access notes. */
export function addressText(home: Home | null): string {
  if (!home) return UNKNOWN;
  const { first_line, second_line, city, state, zip, country } = home;
  return [first_line, second_line, `${city}, ${state} ${zip}, ${country}`].filter(Boolean).join("\n");
}

/** The display text of a wire code: `at_home_phlebotomy` becomes `At home phlebotomy`. */
export function inWords(word: string): string {
  const words = word.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
