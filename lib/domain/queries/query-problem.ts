/** A semantic problem of a well-formed query, and the path to it. */
export interface QueryProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
