/** Objects of a list, single values of a list, and characters of a text, that an example shows. */
const [MAX_OBJECTS, MAX_VALUES, MAX_CHARACTERS] = [2, 12, 400];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** A key, token or cursor: an optional prefix, and a long random part with digits and capital letters. */
const RANDOM = /\b((?:[a-z]{1,8}_){0,3})(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Z])[\w+/=-]{24,}/g;
/** The same as a segment of a path, which a slash ends. */
const RANDOM_SEGMENT = /\b((?:[a-z]{1,8}_){0,3})(?=[\w+=-]*\d)(?=[\w+=-]*[A-Z])[\w+=-]{24,}/g;
/** An address, or a FHIR reference. */
const PATH = /^(?:https:\/\/|[A-Z][A-Za-z]+\/)/;
const LOCAL_ADDRESS = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/g;
/** The same in a parameter of another address. */
const ENCODED_ADDRESS = /http%3A%2F%2F(?:127\.0\.0\.1|localhost)%3A\d+/g;
/** A random value of a parameter, whose name stays. */
const RANDOM_PARAMETER = /\b(code|code_challenge|nonce|state)=[\w-]{20,}/g;
const LOCAL_HOST = /(?:127\.0\.0\.1|localhost):\d+/g;

/** A `client_user_id` as an application may choose it. */
const CLIENT_USER_ID = "user-4711";

/**
 * Makes examples of one run equal to those of another: ids in the order of their appearance, no keys, no addresses of the
 * machine, short lists.
 */
export class ExampleNeutralizer {
  readonly #ids = new Map<string, string>();

  neutralize(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) {
      const most = typeof value[0] === "object" ? MAX_OBJECTS : MAX_VALUES;
      return value.slice(0, most).map((entry) => this.neutralize(entry));
    }
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [
      name.replaceAll(UUID, (id) => this.#idOf(id)),
      name === "client_user_id" && typeof member === "string" ? CLIENT_USER_ID : this.neutralize(member),
    ]);
    return Object.fromEntries(members);
  }

  #text(text: string): string {
    const known = text
      .replaceAll(UUID, (id) => this.#idOf(id))
      .replaceAll(LOCAL_ADDRESS, "https://api.example.com")
      .replaceAll(ENCODED_ADDRESS, "https%3A%2F%2Fapi.example.com")
      .replaceAll(RANDOM_PARAMETER, "$1=example")
      .replaceAll(LOCAL_HOST, "api.example.com");
    return known
      .replaceAll(PATH.test(known) ? RANDOM_SEGMENT : RANDOM, (_, prefix: string) => `${prefix}example`)
      .slice(0, MAX_CHARACTERS);
  }

  #idOf(id: string): string {
    const known = this.#ids.get(id) ?? `00000000-0000-4000-8000-${String(this.#ids.size + 1).padStart(12, "0")}`;
    this.#ids.set(id, known);
    return known;
  }
}
