import * as z from "zod";
import { openEnum, typedOpenEnum } from "../../contract/open-enum.ts";
import { appointmentProviders } from "./appointment-providers.ts";
import { appointmentStatuses, wireAppointmentStatuses } from "./appointment-states.ts";
import { slotKinds } from "./slots.ts";

const instant = z.iso.datetime({ offset: true });
const text = z.string().nullable();
const eventData = z.record(z.string(), z.unknown()).nullable();

const eventStatus = typedOpenEnum(appointmentStatuses);

const address = z.object({
  first_line: z.string(),
  second_line: text,
  city: z.string(),
  state: z.string(),
  zip_code: z.string(),
  unit: text,
  access_notes: text,
});

/** Appointment, as responses and events carry it. Times are null while an appointment is only requested. */
export const wireAppointment = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    order_id: z.guid(),
    order_transaction_id: z.guid().nullable(),
    address: address.meta({ phi: true }),
    location: z.object({ lng: z.number(), lat: z.number() }).meta({ phi: true }),
    start_at: instant.nullable(),
    end_at: instant.nullable(),
    iana_timezone: text,
    type: typedOpenEnum(slotKinds),
    provider: openEnum(appointmentProviders),
    status: typedOpenEnum(wireAppointmentStatuses),
    provider_id: z.string(),
    external_id: text,
    can_reschedule: z.boolean(),
    appointment_notes: text.meta({ phi: true }),
    event_status: eventStatus,
    event_data: eventData,
    events: z.array(z.object({ created_at: instant, status: eventStatus, data: eventData })),
  })
  .meta({ id: "Appointment" });
