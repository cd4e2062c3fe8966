/** A command of the operator that can not be done, in one line for a person. */
export class AdminRefused extends Error {
  override readonly name = "AdminRefused";
}
