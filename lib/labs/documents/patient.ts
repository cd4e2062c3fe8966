import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { formatDay } from "./dates.ts";

/** Placeholder of a missing value. */
export const UNKNOWN_TEXT = "Not given";

type Named = { readonly first_name: string | null; readonly last_name: string | null };
type Home = Pick<
  NonNullable<Order["patient_address"]>,
  "first_line" | "second_line" | "city" | "state" | "zip" | "country"
>;

/** First and last name of a person. */
export const fullNameOf = (person: Named | null): string =>
  [person?.first_name, person?.last_name].filter(Boolean).join(" ") || UNKNOWN_TEXT;

/** Date of birth of an order's patient, YYYY-MM-DD. */
export const birthDateOf = (order: Order): string =>
  order.patient_details ? formatDay(order.patient_details.dob) : UNKNOWN_TEXT;

/** An address on separate lines, without access notes. */
export function formatAddress(home: Home | null): string {
  if (!home) return UNKNOWN_TEXT;
  const { first_line, second_line, city, state, zip, country } = home;
  return [first_line, second_line, `${city}, ${state} ${zip}, ${country}`].filter(Boolean).join("\n");
}

/** The display text of a wire code: `at_home_phlebotomy` becomes `At home phlebotomy`. */
export function humanizeCode(word: string): string {
  const words = word.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
