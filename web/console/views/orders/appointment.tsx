import { type Appointment, getAppointment } from "../../api/appointments.ts";
import type { Order } from "../../api/orders.ts";
import { useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/instant.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { formatInstant } from "../../parts/time.ts";

/** The appointment at which the sample is taken, for orders that have one. */
export function AppointmentSection({ order }: { readonly order: Order }) {
  const load = useLoad(`appointment ${order.id}`, (signal) => getAppointment(order, signal));
  if (load.value === null || (load.isLoading && load.value === undefined)) return null;
  return (
    <Section title="Appointment">
      <Loaded load={load} lines={2}>
        {(appointment) => (appointment ? <AppointmentFacts appointment={appointment} /> : null)}
      </Loaded>
    </Section>
  );
}

function AppointmentFacts({ appointment }: { readonly appointment: Appointment }) {
  const { event_status, start_at, iana_timezone: zone, type, provider, appointment_notes: note } = appointment;
  const { first_line, city, state, zip_code } = appointment.address;
  return (
    <Facts
      facts={[
        ["State", <Badge key="state" state={event_status} />],
        ["Begins", start_at ? <Instant key="start" at={start_at} /> : "has no time yet"],
        ...(start_at && zone ? [["At the place", placeTime(start_at, zone)] as const] : []),
        ["Kind", humanize(type)],
        ["Provider", humanize(provider)],
        ["Place", `${first_line}, ${city}, ${state} ${zip_code}`],
        ...(note ? [["Note", note] as const] : []),
      ]}
    />
  );
}

/** The clock time at the place of the appointment, which is neither that of the viewer nor always that of the user. */
const placeTime = (at: string, zone: string) => `${formatInstant(Date.parse(at), zone).slice(0, 16)} ${zone}`;
