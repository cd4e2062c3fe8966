import type { Model, Rule } from "./explore-model.ts";
import type { ModelState } from "./state-layout.ts";

/** A lease, a request and the write of its outcome in ticks of 5 s, as in the service: 30 s, 20 s and 5 s. */
const [LEASE, REQUEST, STORE] = [6, 4, 1] as const;

const steps = ["idle", "acquire", "exchange", "await response", "store", "release"] as const;
type Step = (typeof steps)[number];

/** The credentials of one connection, the tokens at its provider, and the callers that refresh access. */
export interface RefreshState extends ModelState {
  /** The stored refresh token, and whether the access token beside it is valid. */
  readonly stored: number;
  readonly isFresh: number;
  /** Ticks until the lease ends, and its caller from 1. */
  readonly leaseLeft: number;
  readonly holder: number;
  /** The only refresh token that the provider takes. */
  readonly valid: number;
  /** Each caller: its step, the ticks in it, the token that it read, and whether its exchange is the second one. */
  readonly step: readonly number[];
  readonly age: readonly number[];
  readonly seen: readonly number[];
  readonly isSecond: readonly number[];
  /** Ticks in which the exchange of each caller may still take effect, also after the caller crashed. */
  readonly request: readonly number[];
  /** Whether a caller found that access has ended. */
  readonly hasEnded: number;
  /** Crashes and lost responses that may still happen. */
  readonly faults: number;
}

/** Conditions that the model may lack. */
export type RefreshCondition =
  | "the lease"
  | "the time left for an exchange"
  | "the time left to store tokens"
  | "the version when a lease begins"
  | "the end of the lease when it is released";

interface RefreshSize {
  readonly callers: number;
  /** Exchanges that succeed. */
  readonly exchanges: number;
  readonly faults: number;
  readonly without?: RefreshCondition | undefined;
}

/**
 * Callers that refresh the access of one connection at a provider whose refresh tokens are valid for one exchange each
 * (`lib/services/connections/oauth/refresh-access.ts`). A caller may be slow before an exchange. The provider may refuse
 * the application's secret, and the caller then asks once more with a changed one.
 */
export function tokenRefresh(options: Partial<RefreshSize> = {}): Model<RefreshState> {
  const size = { callers: 3, exchanges: 3, faults: 1, ...options };
  const { callers, exchanges, faults } = size;
  const of = (values: number) => ({ length: callers, values });
  const none = Array<number>(callers).fill(0);
  const isUndisturbed = (state: RefreshState) => state.faults === faults;
  return {
    ranges: {
      ...{ stored: exchanges + 1, isFresh: 2, leaseLeft: LEASE + 1, holder: callers + 1, valid: exchanges + 1 },
      ...{ step: of(steps.length), age: of(STORE + 1), seen: of(exchanges + 1), isSecond: of(2) },
      ...{ request: of(REQUEST + 1), hasEnded: 2, faults: faults + 1 },
    },
    initial: {
      ...{ stored: 0, isFresh: 0, leaseLeft: 0, holder: 0, valid: 0 },
      ...{ step: none, age: none, seen: none, isSecond: none, request: none, hasEnded: 0, faults },
    },
    rules: [...none.flatMap((_, index) => callerRules(index, size)), tickRule, expiryRule],
    invariants: {
      "one exchange at a time is under way": ({ request }) => request.filter((left) => left > 0).length <= 1,
      "without a fault, no caller finds that access has ended": (state) =>
        !isUndisturbed(state) || state.hasEnded === 0,
      "without a fault, the newest refresh token is stored": (state) =>
        !isUndisturbed(state) || state.stored === state.valid || state.step.includes(steps.indexOf("store")),
    },
  };
}

/** The state after a caller goes on to a step. */
function go(state: RefreshState, index: number, step: Step, isSecond = 0): RefreshState {
  return {
    ...state,
    step: state.step.with(index, steps.indexOf(step)),
    age: state.age.with(index, 0),
    isSecond: state.isSecond.with(index, isSecond),
  };
}

const at = (state: RefreshState, index: number): Step => steps[state.step[index] ?? 0] ?? "idle";
const setRequest = (state: RefreshState, index: number, left: number): RefreshState => ({
  ...state,
  request: state.request.with(index, left),
});

function callerRules(index: number, size: RefreshSize): Rule<RefreshState>[] {
  const name = `caller ${index + 1}`;
  const rule = (step: Step, does: string, next: (state: RefreshState) => RefreshState[]): Rule<RefreshState> => ({
    name: `${name} ${does}`,
    next: (state) => (at(state, index) === step ? next(state) : []),
  });
  return [
    rule("idle", "reads the credentials", (state) => {
      if (state.isFresh === 1 || (state.request[index] ?? 0) > 0) return [];
      return [go({ ...state, seen: state.seen.with(index, state.stored) }, index, "acquire")];
    }),
    rule("acquire", "acquires the lease", (state) => [acquire(state, index, size)]),
    rule("exchange", "begins an exchange", (state) => beginExchange(state, index, size)),
    rule("await response", "gets a response", (state) => respond(state, index, size)),
    rule("store", "stores tokens", (state) => [store(state, index)]),
    rule("release", "releases the lease", (state) => {
      const isMine = state.holder === index + 1 || size.without === "the end of the lease when it is released";
      return [go(isMine ? { ...state, leaseLeft: 0, holder: 0 } : state, index, "idle")];
    }),
    { name: `${name} crashes`, next: (state) => crash(state, index) },
    { name: `the exchange of ${name} takes effect`, next: (state) => takeEffect(state, index, size) },
  ];
}

function acquire(state: RefreshState, index: number, { without }: RefreshSize): RefreshState {
  const isFree = state.leaseLeft === 0 || without === "the lease";
  const isUnchanged = state.stored === state.seen[index] || without === "the version when a lease begins";
  if (!isFree || !isUnchanged) return go(state, index, "idle");
  return go({ ...state, leaseLeft: LEASE, holder: index + 1 }, index, "exchange");
}

/** A caller knows the end of its lease, and begins no exchange that could outlast it. */
function beginExchange(state: RefreshState, index: number, { without }: RefreshSize): RefreshState[] {
  const left = state.holder === index + 1 ? state.leaseLeft : 0;
  const needed = without === "the time left to store tokens" ? REQUEST : REQUEST + STORE;
  const isLate = left < needed && without !== "the time left for an exchange";
  if (isLate) return [go(state, index, "release")];
  const isSecond = state.isSecond[index] ?? 0;
  return [go(setRequest(state, index, REQUEST), index, "await response", isSecond)];
}

/** The outcomes of an exchange: new tokens, a refusal of the token or of the application's secret, or none. */
function respond(state: RefreshState, index: number, { exchanges }: RefreshSize): RefreshState[] {
  const over = setRequest(state, index, 0);
  const unavailable = go(over, index, "release");
  if (state.request[index] === 0) return [unavailable];
  const changed = state.isSecond[index] === 0 ? [go(over, index, "exchange", 1)] : [];
  if (state.seen[index] !== state.valid)
    return [go({ ...over, hasEnded: 1 }, index, "release"), unavailable, ...changed];
  if (state.valid === exchanges) return [unavailable, ...changed];
  const renewed = { ...over, valid: state.valid + 1 };
  const lost = state.faults > 0 ? [go({ ...renewed, faults: state.faults - 1 }, index, "release")] : [];
  return [go(renewed, index, "store"), unavailable, ...changed, ...lost];
}

/** Stores the tokens of an exchange, if nobody stored others meanwhile. */
function store(state: RefreshState, index: number): RefreshState {
  const seen = state.seen[index] ?? 0;
  if (state.stored !== seen) return go({ ...state, hasEnded: 1 }, index, "release");
  return go({ ...state, stored: seen + 1, isFresh: 1, leaseLeft: 0, holder: 0 }, index, "idle");
}

function crash(state: RefreshState, index: number): RefreshState[] {
  if (state.faults === 0 || at(state, index) === "idle") return [];
  return [go({ ...state, faults: state.faults - 1 }, index, "idle")];
}

/** The provider takes the token of a caller that crashed, and nobody stores the new one. */
function takeEffect(state: RefreshState, index: number, { exchanges }: RefreshSize): RefreshState[] {
  const isSent = at(state, index) === "idle" && (state.request[index] ?? 0) > 0;
  if (!isSent || state.seen[index] !== state.valid || state.valid === exchanges) return [];
  return [setRequest({ ...state, valid: state.valid + 1 }, index, 0)];
}

/** A request ends at its timeout, and the write after it within its time. Before an exchange a caller may be slow. */
const tickRule: Rule<RefreshState> = {
  name: "time passes",
  next(state) {
    const isBound = state.step.some(
      (step, index) =>
        (steps[step] === "store" && state.age[index] === STORE) ||
        (steps[step] === "await response" && state.request[index] === 0),
    );
    if (isBound) return [];
    const leaseLeft = Math.max(0, state.leaseLeft - 1);
    return [
      {
        ...state,
        leaseLeft,
        request: state.request.map((left) => Math.max(0, left - 1)),
        age: state.age.map((age, index) => (steps[state.step[index] ?? 0] === "store" ? Math.min(age + 1, STORE) : 0)),
      },
    ];
  },
};

const expiryRule: Rule<RefreshState> = {
  name: "the access token expires",
  next: (state) => (state.isFresh === 1 ? [{ ...state, isFresh: 0 }] : []),
};
