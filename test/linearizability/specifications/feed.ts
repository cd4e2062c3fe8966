import { expectResult, type Specification } from "../specification.ts";

/** The feed of one team: each event once, at a place that never changes. */
export const feedSpecification: Specification<readonly string[]> = {
  initial: [],
  after(state, operation) {
    const [subject = ""] = operation.args;
    if (operation.name === "append")
      return expectResult(state, operation, ["done"], state.includes(subject) ? state : [...state, subject]);
    const [after, limit] = [Number(subject), Number(operation.args[1])];
    const page = state.slice(after, after + limit).map((event, index) => `${after + index + 1}=${event}`);
    return expectResult(state, operation, page);
  },
};
