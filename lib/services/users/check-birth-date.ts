import { isPossibleBirthDate } from "../../domain/users/demographics/person.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";

/** @throws ValidationFailed for a date of birth that is in the future in every time zone. */
export function checkBirthDate(loc: readonly string[], dob: string): void {
  if (!isPossibleBirthDate(dob, ports().clock.now()))
    throw ValidationFailed.at([...loc, "dob"], "The date of birth is in the future");
}
