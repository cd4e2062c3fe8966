/** The first given name and the family name of a patient. */
interface PatientName {
  readonly first: string | null;
  readonly last: string | null;
}

const TITLE = /^(?:mr|mrs|ms|miss|dr)\.?\s+/i;
const SUFFIX = /^(?:jr|sr|ii|iii|iv|m\.?d|ph\.?d)\.?$/i;
/** Words that start a family name, and words that do so in lower case or beside one of the first. */
const PARTICLE = /^(?:de|del|della|dos|das|von|der|den|ter)$/i;
const POSSIBLE_PARTICLE = /^(?:la|las|los|le|van|di|da|du|bin|ibn|al|el)$/i;

/**
 * Splits a printed name, without titles and suffixes: `DOE, JANE A`, `Mr. John Smith Jr.`, `Maria de la Cruz`, and
 * `Doe^Jane^A` as in HL7.
 */
export function splitName(text: string): PatientName {
  const plain = text
    .replace(/\(.*\)/, "")
    .trim()
    .replace(TITLE, "");
  if (plain.includes("^")) return fromParts(plain.split("^"));
  const parts = plain.split(",").map((part) => part.trim());
  const named = parts.filter((part) => part !== "" && !SUFFIX.test(part));
  return named.length > 1 ? fromParts(named) : fromWords(splitWords(named[0] ?? ""));
}

/** The words of a name without suffixes at its end. */
function splitWords(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  while (words.length > 1 && SUFFIX.test(words.at(-1) ?? "")) words.pop();
  return words;
}

/** A family name before the given names. */
function fromParts([family = "", given = ""]: readonly string[]): PatientName {
  const last = splitWords(family).join(" ");
  return { first: splitWords(given.trim().replace(TITLE, ""))[0] ?? null, last: last === "" ? null : last };
}

/** Given names before the family name. */
function fromWords(words: readonly string[]): PatientName {
  let from = words.length - 1;
  while (from > 1 && isParticle(words, from - 1)) from--;
  return { first: words[0] ?? null, last: from > 0 ? words.slice(from).join(" ") : null };
}

function isParticle(words: readonly string[], place: number): boolean {
  const word = words[place] ?? "";
  if (PARTICLE.test(word)) return true;
  const isBeside = PARTICLE.test(words[place - 1] ?? "") || PARTICLE.test(words[place + 1] ?? "");
  const isLower = word === word.toLowerCase() && /^\p{Lu}/u.test(words.at(-1) ?? "");
  return POSSIBLE_PARTICLE.test(word) && (isLower || isBeside);
}
