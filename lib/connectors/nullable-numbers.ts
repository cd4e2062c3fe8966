type NullableNumber = number | null | undefined;

/** Rounds a number of a provider's reply to an integer. */
export const roundOrNull = (value: NullableNumber): number | null => (value == null ? null : Math.round(value));

/** Converts seconds to minutes. */
export const secondsToMinutes = (seconds: NullableNumber): number | null => (seconds == null ? null : seconds / 60);

/** Converts minutes to whole seconds. */
export const minutesToSeconds = (minutes: NullableNumber): number | null =>
  minutes == null ? null : Math.round(minutes * 60);
