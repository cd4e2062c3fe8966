/** A place in a pattern: what the next character, or the position, has to be for the places after it. */
interface Place {
  readonly accepts?: (character: string) => boolean;
  readonly at?: "begin" | "end";
  next: readonly Place[];
}
/** A part of a pattern, given what comes after it. */
type Part = (after: Place) => Place;

/** Whether a type of event fits. */
export type EventTypePattern = (type: string) => boolean;

/**
 * Reads a regular expression for types of events: characters, `.`, `\w`, `\d`, classes, groups, `|`, `*`, `+`, `?`, `^` and
 * `$`, found anywhere in the type unless `^` or `$` say where. Others can take a time that grows exponentially; these are
 * followed in all ways at once, so that a type takes its length times that of the pattern, whatever the team has written.
 * @returns why the text can not be used, as a text, else the pattern.
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

/** Follows all ways through a pattern at the same time, character by character. */
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

/** The places that can be reached from others without a character. */
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

/** Reads a pattern from left to right. */
class PatternReader {
  readonly #characters: readonly string[];
  #index = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  read(): Part {
    const whole = this.#choice();
    if (this.#peek() !== undefined) throw new PatternRefused("a ) without its (");
    return whole;
  }

  #peek = () => this.#characters[this.#index];

  #take(): string {
    const character = this.#characters[this.#index++];
    if (character === undefined) throw new PatternRefused("it ends too early");
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
    if ("*+?{}]".includes(character)) throw new PatternRefused(`${character} is not known here`);
    return one((other) => other === character);
  }

  #group(): Part {
    if (this.#skip("?") && !this.#skip(":")) throw new PatternRefused("groups can only begin with ( or (?:");
    const inner = this.#choice();
    if (!this.#skip(")")) throw new PatternRefused("a ( without its )");
    return inner;
  }

  #escaped(): (character: string) => boolean {
    const escaped = this.#take();
    if (escaped === "w") return isWord;
    if (escaped === "d") return isDigit;
    if (isWord(escaped)) throw new PatternRefused("of the letters only \\w and \\d can be escaped");
    return (character) => character === escaped;
  }

  #class(): (character: string) => boolean {
    const isNegated = this.#skip("^");
    const members: ((character: string) => boolean)[] = [];
    while (!this.#skip("]")) members.push(this.#member());
    if (members.length === 0) throw new PatternRefused("an empty class");
    return (character) => character !== "" && members.some((member) => member(character)) !== isNegated;
  }

  #member(): (character: string) => boolean {
    const first = this.#take();
    if (first === "\\") return this.#escaped();
    const isRange = this.#peek() === "-" && this.#characters[this.#index + 1] !== "]";
    if (!isRange) return (character) => character === first;
    this.#index++;
    const last = this.#take();
    if (last === "\\" || last < first) throw new PatternRefused("a range must go from one character up to another");
    return (character) => first <= character && character <= last;
  }
}
