import { DAY_MS, QUARTER_HOUR_MS } from "../../demo/zone-days.ts";
import type { SimulatorClock } from "../frame/clock.ts";
import { type Call, open, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { stableNumber } from "../frame/stable-uuid.ts";
import { within } from "../plan/known-days.ts";
import { PersonPlan, type PlannedReading } from "../plan/person-plan.ts";
import { nameOfSession } from "./session.ts";

const MOST_DAYS = 30;

/**
 * The data routes of a sensor; `Authorization: Bearer` carries the session. `GET /sensor` returns
 * `{serial_number, manufacturer, model}`. `GET /readings?from=&until=` takes instants at most 30 days apart and returns
 * `{readings: [{at, mg_dl}]}`, one per quarter hour. A missing session gets 401, an invalid range 400.
 */
export function readingRoutes(address: string, provider: string, clock: SimulatorClock): Route[] {
  const ofPerson = (answer: (account: string, call: Call) => SimulatedReply) => (call: Call) => {
    const session = /^Bearer (.+)$/i.exec(call.headers.authorization ?? "")?.[1] ?? "";
    const name = nameOfSession(provider, session);
    return name === undefined ? refused(401, "no session") : answer(accountOf(name), call);
  };
  return [
    open("GET", `${address}/sensor`, ofPerson(sensor)),
    open(
      "GET",
      `${address}/readings`,
      ofPerson((account, call) => readings(account, call, clock.now())),
    ),
  ];
}

/** The account of an e-mail address: its local part, which is the account name at the other providers. */
export function accountOf(email: string): string {
  return email.split("@")[0] ?? email;
}

/** Sensor readings of an account from `fromMs` (included) to `untilMs` (excluded), mg/dL. */
export function sensorReadings(account: string, fromMs: number, untilMs: number): PlannedReading[] {
  const plan = new PersonPlan(account);
  const all = plan.days(fromMs, untilMs).flatMap((day) => plan.glucose(day));
  return within(all, fromMs, untilMs).filter(({ atMs }) => atMs % QUARTER_HOUR_MS === 0);
}

function sensor(account: string): SimulatedReply {
  const serial_number = `0M${stableNumber(`sensor ${account}`)}`;
  return { status: 200, body: { serial_number, manufacturer: "Abbott", model: "FreeStyle Libre 3" } };
}

function readings(account: string, { query }: Call, nowMs: number): SimulatedReply {
  const [fromMs, untilMs] = ["from", "until"].map((name) => Date.parse(query.get(name) ?? "")) as [number, number];
  const isRange = fromMs <= untilMs && untilMs - fromMs <= MOST_DAYS * DAY_MS;
  if (!isRange) return refused(400, "from and until are needed, at most 30 days apart");
  const known = sensorReadings(account, fromMs, Math.min(untilMs, nowMs));
  const told = known.map(({ atMs, value }) => ({ at: new Date(atMs).toISOString(), mg_dl: value }));
  return { status: 200, body: { readings: told } };
}

function refused(status: number, error: string): SimulatedReply {
  return { status, body: { state: "error", error } };
}
