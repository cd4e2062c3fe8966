import { DAY_MS, QUARTER_HOUR_MS } from "../../demo/zone-days.ts";
import type { SimulatorClock } from "../frame/clock.ts";
import { type Call, open, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { stableNumber } from "../frame/stable-uuid.ts";
import { within } from "../plan/known-days.ts";
import { PersonPlan, type PlannedReading } from "../plan/person-plan.ts";
import { nameOfSession } from "./session.ts";

const MOST_DAYS = 30;

/**
 * What a sensor knows of the person whose session `Authorization: Bearer` names. `GET /sensor` answers `{serial_number,
 * manufacturer, model}`, `GET /readings?from=&until=`, instants at most 30 days apart, `{readings: [{at, mg_dl}]}`, one of
 * each quarter of an hour. Without a session 401, without sense 400.
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

/** The person behind an e-mail address: the account of the same name at other providers. */
export function accountOf(email: string): string {
  return email.split("@")[0] ?? email;
}

/** What the sensor of an account measured from an instant to before another one, mg/dL. */
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
