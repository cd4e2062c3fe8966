import type { VirtualClock } from "../clock.ts";
import { type DeliveryCounts, DeliveryQueue } from "./delivery-queue.ts";
import {
  buildEnvelope,
  type EntryError,
  type EventEnvelope,
  type EventOrigin,
  entrySizeBytes,
  type PutEventsEntry,
  scheduledEvent,
} from "./envelope.ts";
import { validateInput } from "./input-transformer.ts";
import { compilePattern } from "./patterns.ts";
import type { Deliver, Rule } from "./rules.ts";
import { parseSchedule } from "./schedules.ts";

/** The result of one PutEvents entry. */
export type EntryResult = { EventId: string } | EntryError;

/** An enabled schedule rule. `lastRunAt` is epoch ms, and undefined before the first run in this process. */
export interface ScheduleState {
  ruleName: string;
  expression: string;
  targetArns: readonly string[];
  lastRunAt: number | undefined;
}

/** The whole call fails. `code` is the AWS error type. */
export class EventsApiError extends Error {
  override name = "EventsApiError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface RegisteredRule {
  rule: Rule;
  matches: (event: EventEnvelope) => boolean;
  lastRunAt: number | undefined;
}

/** The bus of every account. Entries without a bus name go there, and schedules run only there. */
const DEFAULT_BUS = "default";
const MAX_ENTRIES = 10;
/** "The total entry size must be less than 1MB" (EventBridge API Reference, PutEvents). */
const MAX_REQUEST_BYTES = 1024 * 1024;

/** The local EventBridge: buses, rules, and the durable delivery of matched events. */
export class EventBus {
  /** Number of entries with an unknown bus. AWS accepts and drops such entries. */
  droppedUnknownBus = 0;
  readonly #clock: VirtualClock;
  readonly #queue: DeliveryQueue;
  readonly #buses = new Map<string, { arn: string; rules: Map<string, RegisteredRule> }>();

  /** @param options.path database file of the pending deliveries, or ":memory:". */
  constructor(options: { path: string; clock: VirtualClock; deliver: Deliver }) {
    this.#clock = options.clock;
    this.#queue = new DeliveryQueue(options.path, options.clock, options.deliver);
  }

  addBus(name: string, arn: string): void {
    this.#buses.set(name, { arn, rules: new Map() });
  }

  /** @throws Error naming the rule when its bus, pattern, schedule or a target's input is not valid. */
  addRule(rule: Rule): void {
    try {
      const bus = this.#buses.get(parseBusName(rule.busName));
      if (!bus) throw new Error(`the bus ${rule.busName} does not exist`);
      if (rule.pattern === undefined && !rule.schedule) throw new Error("a rule needs a pattern or a schedule");
      if (rule.schedule) {
        parseSchedule(rule.schedule);
        if (parseBusName(rule.busName) !== DEFAULT_BUS) throw new Error("a schedule runs only on the default bus");
      }
      for (const target of rule.targets) validateInput(target);
      const matches = rule.pattern === undefined ? () => false : compilePattern(rule.pattern);
      bus.rules.set(rule.name, { rule, matches, lastRunAt: undefined });
    } catch (error) {
      throw new Error(`Rule ${rule.name}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Resumes the deliveries that an earlier process left pending. */
  start(): void {
    this.#queue.resume();
  }

  /**
   * Accepts up to ten entries. The promise resolves once all deliveries of the accepted entries are stored. Their first
   * attempts start at once and are not awaited.
   * @throws EventsApiError when the whole call fails.
   */
  async putEvents(entries: readonly PutEventsEntry[], origin: EventOrigin): Promise<EntryResult[]> {
    if (entries.length < 1 || entries.length > MAX_ENTRIES) {
      throw new EventsApiError("ValidationException", `Entries must have 1 to ${MAX_ENTRIES} members`);
    }
    if (entries.reduce((total, entry) => total + entrySizeBytes(entry), 0) >= MAX_REQUEST_BYTES) {
      const message = "Total size of the entries in the request is over the limit.";
      throw new EventsApiError("ValidationException", message);
    }
    const results: EntryResult[] = [];
    const matches: { rule: Rule; event: EventEnvelope }[] = [];
    for (const entry of entries) {
      const event = buildEnvelope(entry, origin, this.#clock.now());
      if ("ErrorCode" in event) {
        results.push(event);
        continue;
      }
      matches.push(...this.#rulesFor(event, entry.EventBusName).map((rule) => ({ rule, event })));
      results.push({ EventId: event.id });
    }
    this.#queue.accept(matches);
    return results;
  }

  /** Number of deliveries in progress. Retries that are due later do not count. */
  pending(): number {
    return this.#queue.inFlight;
  }

  get counts(): DeliveryCounts {
    return this.#queue.counts;
  }

  /** The rules of a bus (name or ARN); undefined for an unknown bus. */
  rules(bus: string = DEFAULT_BUS): Rule[] | undefined {
    const found = this.#buses.get(parseBusName(bus));
    return found && [...found.rules.values()].map(({ rule }) => rule);
  }

  schedules(): ScheduleState[] {
    return this.#defaultRules().flatMap(({ rule: { name, schedule, enabled, targets }, lastRunAt }) =>
      schedule && enabled
        ? [{ ruleName: name, expression: schedule, targetArns: targets.map(({ arn }) => arn), lastRunAt }]
        : [],
    );
  }

  /** Sends a "Scheduled Event" to the rule's targets now. @returns the response of each target. */
  async runSchedule(ruleName: string): Promise<unknown[]> {
    const placed = this.#placedSchedule(ruleName);
    placed.lastRunAt = this.#clock.now();
    const { rule } = placed;
    return Promise.all(this.#queue.accept([{ rule, event: scheduledEvent(rule.arn, placed.lastRunAt) }]));
  }

  /** Whether a failed run of the schedule waits for its next attempt. */
  isRetrying(ruleName: string): boolean {
    return this.#queue.isRetrying(this.#placedSchedule(ruleName).rule.arn);
  }

  /** Closes the database. Pending deliveries resume after the next start. */
  close(): void {
    this.#queue.close();
  }

  #rulesFor(event: EventEnvelope, busName: string = DEFAULT_BUS): Rule[] {
    const bus = this.#buses.get(parseBusName(busName));
    if (!bus) this.droppedUnknownBus++;
    const placed = [...(bus?.rules.values() ?? [])];
    return placed.filter(({ rule, matches }) => rule.enabled && matches(event)).map(({ rule }) => rule);
  }

  #defaultRules(): RegisteredRule[] {
    return [...(this.#buses.get(DEFAULT_BUS)?.rules.values() ?? [])];
  }

  #placedSchedule(ruleName: string): RegisteredRule {
    const placed = this.#defaultRules().find(({ rule }) => rule.name === ruleName && rule.schedule);
    if (!placed) throw new Error(`the schedule rule ${ruleName} does not exist`);
    return placed;
  }
}

/** The bus name of an ARN (arn:aws:events:region:account:event-bus/name) or of a name. */
function parseBusName(nameOrArn: string): string {
  return nameOrArn.startsWith("arn:") ? nameOrArn.slice(nameOrArn.indexOf("/") + 1) : nameOrArn;
}
