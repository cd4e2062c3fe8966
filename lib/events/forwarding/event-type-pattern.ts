/** State of a nondeterministic finite automaton: the character or position that it accepts, and its next states. */
interface NfaState {
  readonly accepts?: (character: string) => boolean;
  readonly at?: "begin" | "end";
  next: readonly NfaState[];
}
/** Fragment of an automaton: a function from the state after it to its first state. */
type NfaFragment = (after: NfaState) => NfaState;

/** Whether an event type matches a pattern. */
export type EventTypePattern = (type: string) => boolean;

/**
 * Parses a regular expression for event types: characters, `.`, `\w`, `\d`, classes, groups, `|`, `*`, `+`, `?`, `^`
 * and `$`. It matches anywhere in the type unless `^` or `$` anchor it. Backtracking engines can take exponential time.
 * This automaton follows all paths at once, so matching takes the length of the type times that of the pattern.
 * @returns the matcher, or the reason the pattern is invalid as a text.
 */
export function parseEventTypePattern(text: string): EventTypePattern | string {
  const end: NfaState = { next: [] };
  try {
    const begin = new PatternParser(text).read()(end);
    return (type) => matchesAnywhere(begin, end, type);
  } catch (error) {
    if (error instanceof PatternSyntaxError) return error.message;
    throw error;
  }
}

/** Follows all paths through the automaton at once, character by character. */
function matchesAnywhere(begin: NfaState, end: NfaState, type: string): boolean {
  let reached: readonly NfaState[] = [];
  for (let index = 0; index <= type.length; index++) {
    const open = epsilonClosure([...reached, begin], index === 0, index === type.length);
    if (open.has(end)) return true;
    const character = type.charAt(index);
    reached = [...open].flatMap(({ accepts, next }) => (accepts?.(character) ? next : []));
  }
  return false;
}

/** Returns the states reachable without consuming a character (epsilon closure). */
function epsilonClosure(places: readonly NfaState[], isBegin: boolean, isEnd: boolean): Set<NfaState> {
  const open = new Set<NfaState>();
  const waiting = [...places];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    if (open.has(place)) continue;
    open.add(place);
    const isPassed = place.at === undefined || (place.at === "begin" ? isBegin : isEnd);
    if (!place.accepts && isPassed) waiting.push(...place.next);
  }
  return open;
}

class PatternSyntaxError extends Error {}

const isWord = (character: string) => /^\w$/.test(character);
const isDigit = (character: string) => /^\d$/.test(character);
const one =
  (accepts: (character: string) => boolean): NfaFragment =>
  (after) => ({ accepts, next: [after] });

/** Parses a pattern from left to right. */
class PatternParser {
  readonly #characters: readonly string[];
  #index = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  read(): NfaFragment {
    const whole = this.#choice();
    if (this.#peek() !== undefined) throw new PatternSyntaxError("unmatched )");
    return whole;
  }

  #peek = () => this.#characters[this.#index];

  #take(): string {
    const character = this.#characters[this.#index++];
    if (character === undefined) throw new PatternSyntaxError("unexpected end of the pattern");
    return character;
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#index++;
    return true;
  }

  #choice(): NfaFragment {
    const ways = [this.#sequence()];
    while (this.#skip("|")) ways.push(this.#sequence());
    return (after) => ({ next: ways.map((way) => way(after)) });
  }

  #sequence(): NfaFragment {
    const parts: NfaFragment[] = [];
    for (let next = this.#peek(); next !== undefined && next !== "|" && next !== ")"; next = this.#peek()) {
      parts.push(this.#repeated());
    }
    return (after) => parts.reduceRight((rest, part) => part(rest), after);
  }

  #repeated(): NfaFragment {
    const isPosition = this.#peek() === "^" || this.#peek() === "$";
    const part = this.#atom();
    const sign = this.#peek();
    if (sign === undefined || !"*+?".includes(sign)) return part;
    if (isPosition) throw new PatternSyntaxError(`nothing to repeat before ${sign}`);
    this.#index++;
    if (sign === "?") return (after) => ({ next: [part(after), after] });
    return (after) => {
      const again: NfaState = { next: [after] };
      const first = part(again);
      again.next = [first, after];
      return sign === "+" ? first : again;
    };
  }

  #atom(): NfaFragment {
    const character = this.#take();
    if (character === "(") return this.#group();
    if (character === "[") return one(this.#class());
    if (character === ".") return one((other) => other !== "");
    if (character === "\\") return one(this.#escaped());
    if (character === "^") return (after) => ({ at: "begin", next: [after] });
    if (character === "$") return (after) => ({ at: "end", next: [after] });
    if ("*+?{}]".includes(character)) throw new PatternSyntaxError(`${character} is not supported here`);
    return one((other) => other === character);
  }

  #group(): NfaFragment {
    if (this.#skip("?") && !this.#skip(":")) throw new PatternSyntaxError("groups must start with ( or (?:");
    const inner = this.#choice();
    if (!this.#skip(")")) throw new PatternSyntaxError("unmatched (");
    return inner;
  }

  #escaped(): (character: string) => boolean {
    const escaped = this.#take();
    if (escaped === "w") return isWord;
    if (escaped === "d") return isDigit;
    if (isWord(escaped)) throw new PatternSyntaxError("\\w and \\d are the only supported letter escapes");
    return (character) => character === escaped;
  }

  #class(): (character: string) => boolean {
    const isNegated = this.#skip("^");
    const members: ((character: string) => boolean)[] = [];
    while (!this.#skip("]")) members.push(this.#member());
    if (members.length === 0) throw new PatternSyntaxError("empty character class");
    return (character) => character !== "" && members.some((member) => member(character)) !== isNegated;
  }

  #member(): (character: string) => boolean {
    const first = this.#take();
    if (first === "\\") return this.#escaped();
    const isRange = this.#peek() === "-" && this.#characters[this.#index + 1] !== "]";
    if (!isRange) return (character) => character === first;
    this.#index++;
    const last = this.#take();
    if (last === "\\" || last < first) throw new PatternSyntaxError("a range must be ascending");
    return (character) => first <= character && character <= last;
  }
}
