/** An admin command failed. The message states the reason in one line for the operator. */
export class AdminRefused extends Error {
  override readonly name = "AdminRefused";
}
