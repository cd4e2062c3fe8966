import type { Appointment } from "../../domain/appointments/appointment.ts";
import { hasBookableTimes } from "../../domain/appointments/appointment-providers.ts";
import { appointmentStatusOf } from "../../domain/appointments/appointment-states.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { composeEvent, type NewEvent } from "./compose-event.ts";

/**
 * Returns the events of an appointment change, one for each new status. The last one contains the current appointment.
 * @param before undefined for a new appointment.
 */
export function appointmentEvents(before: Appointment | undefined, after: Appointment, user: UserRecord): NewEvent[] {
  const known = before?.events.length ?? 0;
  return after.events.slice(known).map((_, index) => {
    const count = known + index + 1;
    const type = count === 1 ? "labtest.appointment.created" : "labtest.appointment.updated";
    return composeEvent(user, type, after.id, count, appointmentAtEvent(after, count));
  });
}

/** Returns the appointment at its `count`th event. Times change only with the last event of a change. */
function appointmentAtEvent(after: Appointment, count: number): Appointment {
  const events = after.events.slice(0, count);
  const last = events.at(-1);
  if (last === undefined || count === after.events.length) return after;
  return {
    ...after,
    events,
    status: appointmentStatusOf(last.status),
    event_status: last.status,
    event_data: last.data,
    can_reschedule: last.status === "scheduled" && hasBookableTimes(after.provider),
  };
}
