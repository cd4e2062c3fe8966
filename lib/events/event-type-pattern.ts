/** State of a nondeterministic finite automaton: the character or position that it accepts, and its next states. */
interface Place {
  readonly accepts?: (character: string) => boolean;
  readonly at?: "begin" | "end";
  next: readonly Place[];
}
/** Fragment of an automaton: a function from the state after it to its first state. */
type Part = (after: Place) => Place;

/** Whether an event type matches a pattern. */
export type EventTypePattern = (type: string) => boolean;

/**
 * Parses a regular expression for event types: characters, `.`, `\w`, `\d`, classes, groups, `|`, `*`, `+`, `?`, `^`
 * and `$`. It matches anywhere in the type unless `^` or `$` anchor it. Backtracking engines can take exponential time.
 * This automaton follows all paths at once, so matching takes the length of the type times that of the pattern.
 * @returns the matcher, or the reason the pattern is invalid as a text.
 */
export function readEventTypePattern(text: string): EventTypePattern | string {
  const end: Place = { next: [] };
  try {
    const begin = new PatternReader(text).read()(end);
    return (type) => isFound(begin, end, type);
  } catch (error) {
    if (error instanceof PatternRefused) return error.message;
    throw error;
  }
}

/** Follows all paths through the automaton at once, character by character. */
function isFound(begin: Place, end: Place, type: string): boolean {
  let reached: readonly Place[] = [];
  for (let index = 0; index <= type.length; index++) {
    const open = withoutWaiting([...reached, begin], index === 0, index === type.length);
    if (open.has(end)) return true;
    const character = type.charAt(index);
    reached = [...open].flatMap(({ accepts, next }) => (accepts?.(character) ? next : []));
  }
  return false;
}

/** Returns the states reachable without consuming a character (epsilon closure). */
function withoutWaiting(places: readonly Place[], isBegin: boolean, isEnd: boolean): Set<Place> {
  const open = new Set<Place>();
  const waiting = [...places];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    if (open.has(place)) continue;
    open.add(place);
    const isPassed = place.at === undefined || (place.at === "begin" ? isBegin : isEnd);
    if (!place.accepts && isPassed) waiting.push(...place.next);
  }
  return open;
}

class PatternRefused extends Error {}

const isWord = (character: string) => /^\w$/.test(character);
const isDigit = (character: string) => /^\d$/.test(character);
const one =
  (accepts: (character: string) => boolean): Part =>
  (after) => ({ accepts, next: [after] });

/** Parses a pattern from left to right. */
class PatternReader {
  readonly #characters: readonly string[];
  #index = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  read(): Part {
    const whole = this.#choice();
    if (this.#peek() !== undefined) throw new PatternRefused("unmatched )");
    return whole;
  }

  #peek = () => this.#characters[this.#index];

  #take(): string {
    const character = this.#characters[this.#index++];
    if (character === undefined) throw new PatternRefused("unexpected end of the pattern");
    return character;
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#index++;
    return true;
  }

  #choice(): Part {
    const ways = [this.#sequence()];
    while (this.#skip("|")) ways.push(this.#sequence());
    return (after) => ({ next: ways.map((way) => way(after)) });
  }

  #sequence(): Part {
    const parts: Part[] = [];
    for (let next = this.#peek(); next !== undefined && next !== "|" && next !== ")"; next = this.#peek()) {
      parts.push(this.#repeated());
    }
    return (after) => parts.reduceRight((rest, part) => part(rest), after);
  }

  #repeated(): Part {
    const isPosition = this.#peek() === "^" || this.#peek() === "$";
    const part = this.#atom();
    const sign = this.#peek();
    if (sign === undefined || !"*+?".includes(sign)) return part;
    if (isPosition) throw new PatternRefused(`nothing to repeat before ${sign}`);
    this.#index++;
    if (sign === "?") return (after) => ({ next: [part(after), after] });
    return (after) => {
      const again: Place = { next: [after] };
      const first = part(again);
      again.next = [first, after];
      return sign === "+" ? first : again;
    };
  }

  #atom(): Part {
    const character = this.#take();
    if (character === "(") return this.#group();
    if (character === "[") return one(this.#class());
    if (character === ".") return one((other) => other !== "");
    if (character === "\\") return one(this.#escaped());
    if (character === "^") return (after) => ({ at: "begin", next: [after] });
    if (character === "$") return (after) => ({ at: "end", next: [after] });
    if ("*+?{}]".includes(character)) throw new PatternRefused(`${character} is not supported here`);
    return one((other) => other === character);
  }

  #group(): Part {
    if (this.#skip("?") && !this.#skip(":")) throw new PatternRefused("groups must start with ( or (?:");
    const inner = this.#choice();
    if (!this.#skip(")")) throw new PatternRefused("unmatched (");
    return inner;
  }

  #escaped(): (character: string) => boolean {
    const escaped = this.#take();
    if (escaped === "w") return isWord;
    if (escaped === "d") return isDigit;
    if (isWord(escaped)) throw new PatternRefused("\\w and \\d are the only supported letter escapes");
    return (character) => character === escaped;
  }

  #class(): (character: string) => boolean {
    const isNegated = this.#skip("^");
    const members: ((character: string) => boolean)[] = [];
    while (!this.#skip("]")) members.push(this.#member());
    if (members.length === 0) throw new PatternRefused("empty character class");
    return (character) => character !== "" && members.some((member) => member(character)) !== isNegated;
  }

  #member(): (character: string) => boolean {
    const first = this.#take();
    if (first === "\\") return this.#escaped();
    const isRange = this.#peek() === "-" && this.#characters[this.#index + 1] !== "]";
    if (!isRange) return (character) => character === first;
    this.#index++;
    const last = this.#take();
    if (last === "\\" || last < first) throw new PatternRefused("a range must be ascending");
    return (character) => first <= character && character <= last;
  }
}
