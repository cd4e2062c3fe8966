import { expectResult, type Specification } from "../specification.ts";

/** The account of a user at each connected provider. */
type Connections = Readonly<Record<string, string>>;

/** The connections of one user. */
export const connectionsSpecification: Specification<Connections> = {
  initial: {},
  after(state, operation) {
    const [provider = "", account = ""] = operation.args;
    const { [provider]: known, ...others } = state;
    const expect = (result: readonly string[], next?: Connections) => expectResult(state, operation, result, next);
    switch (operation.name) {
      case "connect":
        return expect(["connected"], { ...state, [provider]: account });
      case "disconnect":
        return known === undefined ? expect(["absent"]) : expect(["disconnected"], others);
      default:
        return expect(
          Object.entries(state)
            .map(([name, id]) => `${name}=${id}`)
            .sort(),
        );
    }
  },
};
