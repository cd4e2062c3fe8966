import { directory } from "../../contract/resources.ts";
import { ReservationStore } from "../../store/reservations.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ReservationStore(tableOf(directory));
