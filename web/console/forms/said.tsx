import type { Action } from "./use-action.ts";

/** What came of an action, in words. Screen readers hear it. */
export const Said = ({ action: { said, isBad } }: { readonly action: Action }) => (
  <span class={isBad ? "bad-text small" : "quiet small"} role="status">
    {said}
  </span>
);
