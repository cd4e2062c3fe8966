import * as z from "zod";

/** Cancellation reason, as returned. */
export const wireCancellationReason = z
  .object({ id: z.guid(), name: z.string(), is_refundable: z.boolean() })
  .meta({ id: "AppointmentCancellationReason" });
export type CancellationReason = z.output<typeof wireCancellationReason>;

const reason = (number: number, name: string, is_refundable: boolean): CancellationReason => ({
  id: `00000000-0000-4000-a000-${String(number).padStart(12, "0")}`,
  name,
  is_refundable,
});

/** Cancellation reasons of at-home draws. */
export const phlebotomyReasons: readonly CancellationReason[] = [
  reason(1, "The patient chose another time", true),
  reason(2, "The patient does not want the test any more", true),
  reason(3, "The patient was not at home", false),
  reason(4, "The sample could not be drawn", false),
  reason(5, "The phlebotomist did not come", true),
  reason(6, "Another reason", true),
];

/** Cancellation reasons of appointments at patient service centers. */
export const pscReasons: readonly CancellationReason[] = [
  reason(101, "The patient chose another time", true),
  reason(102, "The patient chose another site", true),
  reason(103, "The patient does not want the test any more", true),
  reason(104, "Another reason", true),
];
