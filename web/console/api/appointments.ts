import type { Order } from "./orders.ts";
import { Problem, request } from "./request.ts";

/** An appointment of an order. */
export interface Appointment {
  readonly status: string;
  readonly event_status: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly iana_timezone: string | null;
  readonly type: string;
  readonly provider: string;
  readonly appointment_notes: string | null;
  readonly address: {
    readonly first_line: string;
    readonly city: string;
    readonly state: string;
    readonly zip_code: string;
  };
  readonly events: readonly { readonly created_at: string; readonly status: string }[];
}

/** Paths of appointments by the collection method of the order. */
const APPOINTMENTS: Readonly<Record<string, string>> = { at_home_phlebotomy: "phlebotomy", walk_in_test: "psc" };

/** Retrieves the appointment of an order; null without one, and if the team does not have the feature. */
export async function getAppointment({ id, lab_test, events }: Order, signal: AbortSignal) {
  const way = APPOINTMENTS[lab_test.method];
  if (!way || !events.some(({ status }) => status.includes(".appointment_"))) return null;
  return request<Appointment>(`/v3/order/${id}/${way}/appointment`, { signal }).catch((error) => {
    if (error instanceof Problem && [403, 404].includes(error.status)) return null;
    throw error;
  });
}
