import { type Coordinates, milesBetween } from "./distance.ts";

/** Scheduling of at-home draws: by bookable slots, or by request. */
export const phlebotomyTiers = ["appointment-ready", "appointment-request"] as const;

/** Phlebotomy provider with its tiers and its service area around zip codes. */
export interface PhlebotomyProvider {
  readonly name: string;
  readonly tier: readonly string[];
  readonly within_miles: number;
  readonly around: readonly string[];
}

/** Finds the providers that serve a location. @param locate coordinates of a zip code. */
export function phlebotomyProvidersAt(
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
