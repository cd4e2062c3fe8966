/** Providers of appointments: phlebotomy companies, and laboratories with patient service centers. */
export const appointmentProviders = ["getlabs", "phlebfinders", "quest", "sonora_quest"] as const;
