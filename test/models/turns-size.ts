/** Ticks that a request may take at the receiver, that a quarantine lasts, and that may pass before the request. */
export interface Durations {
  readonly attempt: number;
  readonly quarantine: number;
  readonly margin: number;
}
/** The durations of an exploration. The service has 15, 60 and 5 seconds. */
const SHORT: Durations = { attempt: 2, quarantine: 2, margin: 1 };

/** A lease outlasts what its worker may have sent. */
export const leaseTicks = ({ attempt, quarantine, margin }: Durations): number => margin + attempt + quarantine;

/** Conditions that the model may lack. */
export type Condition =
  | "the lease"
  | "the time left for a request"
  | "the quarantine"
  | "the token when a lease passes on"
  | "the token when a lease ends"
  | "the message at the end of a turn"
  | "the look at the holder after joining"
  | "the release of a lease without a record"
  | "the token of a record";

/** How large a model is, and which condition it lacks. */
export interface TurnsSize {
  readonly workers: number;
  readonly deliveries: number;
  /** Fencing tokens. */
  readonly leases: number;
  readonly crashes: number;
  /** Messages of one delivery that a queue holds at most. */
  readonly messages: number;
  readonly durations: Durations;
  /** Messages about each event at the start, without the option one. */
  readonly copies?: readonly number[] | undefined;
  /** Whether the receiver may ask for a pause at any time. */
  readonly hasPauses: boolean;
  /** Whether the deliveries are stored at the start and wait for the lease, each with two messages. */
  readonly areStored?: boolean | undefined;
  readonly without?: Condition | undefined;
}

/** The size of an exploration, unless it states another. */
export const usualSize: TurnsSize = {
  ...{ workers: 2, deliveries: 2, leases: 4, crashes: 1, messages: 2, durations: SHORT, hasPauses: false },
};
