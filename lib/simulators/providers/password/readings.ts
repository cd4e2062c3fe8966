import { DAY_MS } from "../../../domain/shared/durations.ts";
import { QUARTER_HOUR_MS } from "../../demo/zone-calendar.ts";
import { publicRoute, type Route, type RoutedRequest, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatorClock } from "../base/simulator-clock.ts";
import { stableNumber } from "../base/stable-ids.ts";
import { selectReadings } from "../synthetic-data/available-data.ts";
import { SyntheticPerson, type SyntheticReading } from "../synthetic-data/synthetic-person.ts";
import { verifySessionToken } from "./session-token.ts";

const MAX_DAYS = 30;

/**
 * The data routes of a sensor; `Authorization: Bearer` carries the session. `GET /sensor` returns
 * `{serial_number, manufacturer, model}`. `GET /readings?from=&until=` takes instants at most 30 days apart and returns
 * `{readings: [{at, mg_dl}]}`, one per quarter hour. A missing session gets 401, an invalid range 400.
 */
export function readingRoutes(address: string, provider: string, clock: SimulatorClock): Route[] {
  const ofPerson = (answer: (account: string, call: RoutedRequest) => SimulatedReply) => (call: RoutedRequest) => {
    const session = /^Bearer (.+)$/i.exec(call.headers.authorization ?? "")?.[1] ?? "";
    const name = verifySessionToken(provider, session);
    return name === undefined ? errorReply(401, "no session") : answer(accountOfEmail(name), call);
  };
  return [
    publicRoute("GET", `${address}/sensor`, ofPerson(sensorReply)),
    publicRoute(
      "GET",
      `${address}/readings`,
      ofPerson((account, call) => readingsReply(account, call, clock.now())),
    ),
  ];
}

/** The account of an e-mail address: its local part, which is the account name at the other providers. */
function accountOfEmail(email: string): string {
  return email.split("@")[0] ?? email;
}

/** Sensor readings of an account from `fromMs` (included) to `untilMs` (excluded), mg/dL. */
function sensorReadings(account: string, fromMs: number, untilMs: number): SyntheticReading[] {
  const person = new SyntheticPerson(account);
  const all = person.days(fromMs, untilMs).flatMap((day) => person.glucose(day));
  return selectReadings(all, fromMs, untilMs).filter(({ atMs }) => atMs % QUARTER_HOUR_MS === 0);
}

function sensorReply(account: string): SimulatedReply {
  const serial_number = `0M${stableNumber(`sensor ${account}`)}`;
  return { status: 200, body: { serial_number, manufacturer: "Abbott", model: "FreeStyle Libre 3" } };
}

function readingsReply(account: string, { query }: RoutedRequest, nowMs: number): SimulatedReply {
  const [fromMs, untilMs] = ["from", "until"].map((name) => Date.parse(query.get(name) ?? "")) as [number, number];
  const isRange = fromMs <= untilMs && untilMs - fromMs <= MAX_DAYS * DAY_MS;
  if (!isRange) return errorReply(400, "from and until are needed, at most 30 days apart");
  const known = sensorReadings(account, fromMs, Math.min(untilMs, nowMs));
  const readings = known.map(({ atMs, value }) => ({ at: new Date(atMs).toISOString(), mg_dl: value }));
  return { status: 200, body: { readings } };
}

function errorReply(status: number, error: string): SimulatedReply {
  return { status, body: { state: "error", error } };
}
