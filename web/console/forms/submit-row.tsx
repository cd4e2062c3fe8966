import { Said } from "./said.tsx";
import type { Action } from "./use-action.ts";

interface SubmitRowProps {
  readonly action: Action;
  /** Word of the button that submits the form. */
  readonly label: string;
  readonly close: () => void;
}

/** The end of a form in a dialog: its two buttons, and what came of the action. */
export const SubmitRow = ({ action, label, close }: SubmitRowProps) => (
  <div class="row">
    <button type="submit" class="primary" disabled={action.isBusy}>
      {label}
    </button>
    <button type="button" onClick={close}>
      Cancel
    </button>
    <Said action={action} />
  </div>
);
