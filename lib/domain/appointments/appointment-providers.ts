/** Providers of appointments: phlebotomy companies, and laboratories with patient service centers. */
export const appointmentProviders = ["getlabs", "phlebfinders", "quest", "sonora_quest"] as const;

/** Providers that take requests alone. They have no bookable times, so no booking key can move their appointments. */
const requestedProviders: readonly string[] = ["phlebfinders"] satisfies (typeof appointmentProviders)[number][];

/** Whether a booking key can select a time of a provider. */
export const hasBookableTimes = (provider: string): boolean => !requestedProviders.includes(provider);
