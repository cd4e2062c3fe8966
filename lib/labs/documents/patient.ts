import type { Order } from "../../domain/orders/order-move.ts";
import { dayText } from "./dates.ts";

/** What stands where nothing is known. */
export const UNKNOWN = "Not given";

type Named = { readonly first_name: string | null; readonly last_name: string | null };
type Home = Pick<
  NonNullable<Order["patient_address"]>,
  "first_line" | "second_line" | "city" | "state" | "zip" | "country"
>;

/** First and last name of a person. */
export const nameOf = (person: Named | null): string =>
  [person?.first_name, person?.last_name].filter(Boolean).join(" ") || UNKNOWN;

/** When the patient of an order was born, YYYY-MM-DD. */
export const birthday = (order: Order): string =>
  order.patient_details ? dayText(order.patient_details.dob) : UNKNOWN;

/** An address in lines; notes of how to get in are not for documents. */
export function addressText(home: Home | null): string {
  if (!home) return UNKNOWN;
  const { first_line, second_line, city, state, zip, country } = home;
  return [first_line, second_line, `${city}, ${state} ${zip}, ${country}`].filter(Boolean).join("\n");
}

/** A word of the wire for people: `at_home_phlebotomy` is `At home phlebotomy`. */
export function inWords(word: string): string {
  const words = word.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
