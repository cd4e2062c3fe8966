import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { Said } from "./said.tsx";
import { useAction } from "./use-action.ts";

interface ConfirmButtonProps {
  readonly label: string;
  /** Names the button where its label stands in several rows. */
  readonly fullLabel?: string;
  readonly question: string;
  /** What happens then. */
  readonly children: ComponentChildren;
  readonly act: () => Promise<unknown>;
  readonly isItem?: boolean;
}

/** A button for what cannot be taken back: it asks before it acts, and says what failed. */
export function ConfirmButton({ label, fullLabel = label, question, children, act, isItem }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const confirm = async () => {
    if (await action.run(act)) setOpen(false);
  };
  return (
    <>
      <button
        type="button"
        aria-label={fullLabel}
        onClick={() => setOpen(true)}
        {...(isItem ? { "data-item": "" } : {})}
      >
        {label}
      </button>
      {isOpen ? (
        <Dialog title={question} close={() => setOpen(false)}>
          <p>{children}</p>
          <div class="row">
            <button type="button" class="danger" disabled={action.isBusy} onClick={confirm}>
              {label}
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Keep
            </button>
            <Said action={action} />
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
