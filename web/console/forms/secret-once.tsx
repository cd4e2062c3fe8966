import { CopyId } from "../parts/copy-id.tsx";
import { Dialog } from "./dialog.tsx";

interface SecretOnceProps {
  readonly title: string;
  /** What the secret is called on the button that copies it. */
  readonly label: string;
  readonly secret: string;
  /** What the secret is for. */
  readonly children: string;
  readonly close: () => void;
}

/** A secret that the console shows once, after it was made. */
export const SecretOnce = ({ title, label, secret, children, close }: SecretOnceProps) => (
  <Dialog title={title} close={close}>
    <p>{children} The console shows it only now: copy it to where your backend reads its secrets.</p>
    <p class="secret">
      <CopyId id={secret} label={label} />
    </p>
    <div class="row">
      <button type="button" class="primary" onClick={close}>
        I have copied it
      </button>
    </div>
  </Dialog>
);
