import { expectResult, type Specification } from "../specification.ts";

interface Endpoint {
  readonly url: string;
  readonly description: string;
  readonly secret: string;
  readonly isRotated: boolean;
}

/** The webhook endpoints of one team, by id. */
type Endpoints = Readonly<Record<string, Endpoint>>;

/** What a response shows of an endpoint. */
const shown = ({ url, description }: Endpoint) => [url, description];

/**
 * The webhook endpoints of one team. The answer of a change counts for the changed field alone: the client of AWS may
 * apply a change twice, and then the answer shows the other field at the second time.
 */
export const endpointsSpecification: Specification<Endpoints> = {
  initial: {},
  after(state, operation) {
    const [id = "", first = "", second = ""] = operation.args;
    const { [id]: known, ...others } = state;
    const expect = (result: readonly string[], next?: Endpoints) => expectResult(state, operation, result, next);
    const change = (changes: Partial<Endpoint>) => ({ ...state, [id]: { ...(known as Endpoint), ...changes } });
    if (operation.name === "list") return expect(Object.keys(state).sort());
    if (operation.name === "create") {
      const made = { url: first, description: "", secret: second, isRotated: false };
      return expect(["created"], { ...state, [id]: made });
    }
    if (!known) return expect(["absent"]);
    // Concurrent changes of the URL may refuse each other.
    if (operation.result?.[0] === "conflict" && operation.name !== "rotate") return [state];
    switch (operation.name) {
      case "get":
        return expect(["found", ...shown(known)]);
      case "secret":
        return expect(["found", known.secret]);
      case "delete":
        return expect(["deleted"], others);
      case "move":
        return expect(["found", first, operation.result?.[2] ?? ""], change({ url: first }));
      case "describe":
        return expect(["found", operation.result?.[1] ?? "", first], change({ description: first }));
      default:
        // A secret that was replaced today stays.
        return known.isRotated ? expect(["conflict"]) : expect(["rotated"], change({ secret: first, isRotated: true }));
    }
  },
};
