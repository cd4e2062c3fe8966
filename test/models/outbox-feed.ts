import { listed, toBits } from "./bits.ts";
import type { Model, Rule } from "./explore-model.ts";
import type { ModelState } from "./state-layout.ts";

const steps = ["idle", "publish", "read end", "append", "mark"] as const;
type Step = (typeof steps)[number];

/** Changes with their events, the bus, the feed of one team, and the relays between them. */
export interface FeedState extends ModelState {
  /** By event: whether its change and the event are stored, whether the sweeper finds it, and whether it was published. */
  readonly hasChange: readonly number[];
  readonly isStored: readonly number[];
  readonly isUnsent: readonly number[];
  readonly isPublished: readonly number[];
  /** The sequence that an event knows; 0 for none. */
  readonly sequence: readonly number[];
  /** Records of the stream about each event, which may come again. */
  readonly records: readonly number[];
  /** The event at each sequence, from 1; 0 for none. */
  readonly feed: readonly number[];
  readonly last: number;
  /** Each relay: its step, bits of its events, and the end of the feed that it read. */
  readonly step: readonly number[];
  readonly events: readonly number[];
  readonly seen: readonly number[];
  readonly crashes: number;
}

/** Conditions that the model may lack. */
export type FeedCondition =
  | "one write of a change and its event"
  | "publishing before the feed"
  | "the unchanged end of the feed"
  | "the missing sequence of an event"
  | "one write of the feed and the sequence"
  | "the mark of an event until it is in the feed";

interface FeedSize {
  readonly relays: number;
  readonly events: number;
  readonly crashes: number;
  readonly without?: FeedCondition | undefined;
}

/**
 * The way of events from the outbox to the bus and the feed (`lib/services/events/relay-events.ts`): the relay gets each
 * record of the stream at least once, in batches, and the sweeper relays what is still unsent.
 */
export function outboxFeed(options: Partial<FeedSize> = {}): Model<FeedState> {
  const size = { relays: 2, events: 3, crashes: 1, ...options };
  const none = Array<number>(size.events).fill(0);
  const idle = Array<number>(size.relays).fill(0);
  const of = (values: number) => ({ length: size.events, values });
  const ofRelay = (values: number) => ({ length: size.relays, values });
  // Without a condition, events may be in the feed twice.
  const places = 2 * size.events + 1;
  return {
    ranges: {
      ...{ hasChange: of(2), isStored: of(2), isUnsent: of(2), isPublished: of(2), sequence: of(places) },
      ...{ records: of(3), feed: { length: places, values: size.events + 1 }, last: places },
      ...{ step: ofRelay(steps.length), events: ofRelay(2 ** size.events), seen: ofRelay(places) },
      crashes: size.crashes + 1,
    },
    initial: {
      ...{ hasChange: none, isStored: none, isUnsent: none, isPublished: none, sequence: none, records: none },
      ...{ feed: Array<number>(places).fill(0), last: 0, step: idle, events: idle, seen: idle, crashes: size.crashes },
    },
    rules: [
      ...none.flatMap((_, event) => writeRules(event, size)),
      ...idle.flatMap((_, relay) => relayRules(relay, size)),
    ],
    invariants,
  };
}

const invariants: Model<FeedState>["invariants"] = {
  "every change has its event": ({ hasChange, isStored }) => hasChange.every((one, event) => one === isStored[event]),
  "no event is in the feed twice": ({ feed }) =>
    feed.every((event, place) => event === 0 || feed.lastIndexOf(event) === place),
  "each event knows its own place in the feed": ({ feed, sequence }) =>
    sequence.every((place, event) => place === 0 || feed[place] === event + 1),
  "the feed has no gap": ({ feed, last }) => feed.every((event, place) => event > 0 === (place > 0 && place <= last)),
  "no event is in the feed before it is published": ({ feed, isPublished }) =>
    feed.every((event) => event === 0 || isPublished[event - 1] === 1),
  "the sweeper finds each event that the feed lacks": ({ isStored, isUnsent, feed }) =>
    isStored.every((stored, event) => stored === 0 || isUnsent[event] === 1 || feed.includes(event + 1)),
};

/** A change and its event: one write, or two, between which a crash may happen. */
function writeRules(event: number, { without }: FeedSize): Rule<FeedState>[] {
  const store = (state: FeedState): FeedState => ({
    ...state,
    isStored: state.isStored.with(event, 1),
    isUnsent: state.isUnsent.with(event, 1),
    records: state.records.with(event, 1),
  });
  const isSplit = without === "one write of a change and its event";
  const change: Rule<FeedState> = {
    name: `change ${event + 1} is written`,
    next(state) {
      if (state.hasChange[event] === 1) return [];
      const changed = { ...state, hasChange: state.hasChange.with(event, 1) };
      return [isSplit ? changed : store(changed)];
    },
  };
  const append: Rule<FeedState> = {
    name: `event ${event + 1} is written`,
    next: (state) => (state.hasChange[event] === 1 && state.isStored[event] === 0 ? [store(state)] : []),
  };
  const repeat: Rule<FeedState> = {
    name: `the record of event ${event + 1} comes again`,
    next: (state) => (state.records[event] === 1 ? [{ ...state, records: state.records.with(event, 2) }] : []),
  };
  return isSplit ? [change, append, repeat] : [change, repeat];
}

/** Bits of the events with a flag. */
const bits = (flags: readonly number[]): number => toBits(flags.flatMap((flag, event) => (flag > 0 ? [event] : [])));

/** The state after a relay goes on to a step. */
function go(state: FeedState, relay: number, step: Step, changed: { events?: number; seen?: number } = {}): FeedState {
  const { events = state.events[relay] ?? 0, seen = state.seen[relay] ?? 0 } = changed;
  const isOver = step === "idle";
  return {
    ...state,
    step: state.step.with(relay, steps.indexOf(step)),
    events: state.events.with(relay, isOver ? 0 : events),
    seen: state.seen.with(relay, isOver ? 0 : seen),
  };
}

function relayRules(relay: number, size: FeedSize): Rule<FeedState>[] {
  const name = `relay ${relay + 1}`;
  const isFeedFirst = size.without === "publishing before the feed";
  const begin = (state: FeedState, events: number): FeedState[] =>
    events === 0 ? [] : [go(state, relay, isFeedFirst ? "read end" : "publish", { events })];
  const rule = (
    step: Step,
    does: string,
    next: (state: FeedState, events: number[]) => FeedState[],
  ): Rule<FeedState> => ({
    name: `${name} ${does}`,
    next: (state) =>
      steps[state.step[relay] ?? 0] === step ? next(state, listed(state.events[relay] ?? 0, size.events)) : [],
  });
  return [
    rule("idle", "gets records of the stream", (state) =>
      begin({ ...state, records: state.records.map((count) => Math.max(0, count - 1)) }, bits(state.records)),
    ),
    rule("idle", "gets unsent events of the sweeper", (state) => begin(state, bits(state.isUnsent))),
    rule("publish", "publishes its events", (state, events) => {
      const isPublished = events.reduce((flags, event) => flags.with(event, 1), state.isPublished);
      const isKept = size.without !== "the mark of an event until it is in the feed";
      const isUnsent = isKept ? state.isUnsent : events.reduce((flags, event) => flags.with(event, 0), state.isUnsent);
      return [
        go({ ...state, isPublished, isUnsent }, relay, isFeedFirst ? "idle" : "read end"),
        go(state, relay, "idle"),
      ];
    }),
    rule("read end", "reads the end of the feed", (state) => [go(state, relay, "append", { seen: state.last })]),
    rule("append", "appends its events to the feed", (state, events) => [appendUnlisted(state, relay, events, size)]),
    rule("mark", "records the sequences", (state, events) => [go(mark(state, events), relay, "idle")]),
    { name: `${name} crashes`, next: (state) => crash(state, relay) },
  ];
}

const crash = (state: FeedState, relay: number): FeedState[] =>
  state.crashes === 0 || state.step[relay] === 0 ? [] : [{ ...go(state, relay, "idle"), crashes: state.crashes - 1 }];

/** Appends events by one write with their sequences. If a condition fails, goes on with the events that it allows. */
function appendUnlisted(state: FeedState, relay: number, events: number[], { without }: FeedSize): FeedState {
  const left = events.filter((event) => state.sequence[event] === 0);
  if (left.length < events.length && without !== "the missing sequence of an event") {
    if (left.length === 0) return go(state, relay, "idle");
    return go(state, relay, "read end", { events: toBits(left) });
  }
  const end = state.seen[relay] ?? 0;
  if (state.last !== end && without !== "the unchanged end of the feed") return go(state, relay, "read end");
  const appended = append(state, end, events);
  if (without === "one write of the feed and the sequence") return go(appended, relay, "mark");
  return go(mark(appended, events), relay, without === "publishing before the feed" ? "publish" : "idle");
}

/** Puts events behind an end of the feed. The model has no places for more copies of events than there are. */
function append(state: FeedState, end: number, events: readonly number[]): FeedState {
  const places = events.filter((_, index) => end + 1 + index < state.feed.length);
  const feed = places.reduce((entries, event, index) => entries.with(end + 1 + index, event + 1), state.feed);
  return { ...state, feed, last: end + places.length };
}

/** Records in each event its last place in the feed. */
const mark = (state: FeedState, events: readonly number[]): FeedState => ({
  ...state,
  sequence: events.reduce(
    (all, event) => all.with(event, Math.max(0, state.feed.lastIndexOf(event + 1))),
    state.sequence,
  ),
  isUnsent: events.reduce((all, event) => all.with(event, 0), state.isUnsent),
});
