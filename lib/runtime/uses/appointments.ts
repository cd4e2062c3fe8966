import { labTable } from "../../contract/resources.ts";
import { AppointmentStore } from "../../store/appointments.ts";
import { tableOf } from "../aws.ts";

export const make = () => new AppointmentStore(tableOf(labTable));
