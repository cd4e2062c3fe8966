/** Methods of the public client whose route does not exist yet; the list only ever shrinks. */
export const notYet: readonly string[] = [];

/**
 * Those of them whose path looks like that of a route with a variable, which answers 422 because what stands in the
 * variable's place is no id.
 */
export const takenByVariable: readonly string[] = [];
