import { type Coordinates, milesBetween } from "./distance.ts";

/** How an at-home draw is arranged: at times that can be booked, or by asking for one. */
export const phlebotomyTiers = ["appointment-ready", "appointment-request"] as const;

/** Who sends phlebotomists, how, and around which zip codes. */
export interface PhlebotomyProvider {
  readonly name: string;
  readonly tier: readonly string[];
  readonly within_miles: number;
  readonly around: readonly string[];
}

/** Those of the providers who come to a place. @param locate where a zip code is. */
export function providersAt(
  at: Coordinates,
  providers: readonly PhlebotomyProvider[],
  locate: (zip: string) => Coordinates | undefined,
): PhlebotomyProvider[] {
  return providers.filter(({ within_miles, around }) =>
    around.some((zip) => {
      const centre = locate(zip);
      return centre !== undefined && milesBetween(at, centre) <= within_miles;
    }),
  );
}
