import { useState } from "preact/hooks";
import { deleteEndpoint, rotateSecret, updateEndpoint } from "../../api/endpoints.ts";
import type { Endpoint } from "../../api/webhooks.ts";
import { navigate } from "../../app/route.ts";
import { ConfirmButton } from "../../forms/confirm-button.tsx";
import { Said } from "../../forms/said.tsx";
import { SecretOnce } from "../../forms/secret-once.tsx";
import { useAction } from "../../forms/use-action.ts";
import { changesOf, EndpointForm } from "./endpoint-form.tsx";
import { HeadersForm } from "./headers-form.tsx";

interface EndpointActionsProps {
  readonly endpoint: Endpoint;
  /** Called after each change. */
  readonly changed: () => void;
}

/** What an admin does with an endpoint: change, disable, rotate its secret, set its headers, delete. */
export function EndpointActions({ endpoint, changed }: EndpointActionsProps) {
  const [open, setOpen] = useState<"settings" | "headers" | undefined>();
  const [secret, setSecret] = useState<string>();
  const action = useAction();
  const { id, disabled } = endpoint;
  const toggle = async () => {
    if (await action.run(() => updateEndpoint(id, { disabled: !disabled }))) changed();
  };
  const remove = async () => {
    await deleteEndpoint(id);
    navigate("/webhooks");
    changed();
  };
  return (
    <div class="row">
      <button type="button" onClick={() => setOpen("settings")}>
        Change
      </button>
      <button type="button" onClick={() => setOpen("headers")}>
        Headers
      </button>
      <button type="button" onClick={toggle} disabled={action.isBusy}>
        {disabled ? "Enable" : "Disable"}
      </button>
      <ConfirmButton
        label="Rotate the secret"
        question="Rotate the secret of this endpoint?"
        act={async () => setSecret(await rotateSecret(id))}
      >
        For 24 hours, each message carries a signature with the old secret as well. You can rotate once in this time.
      </ConfirmButton>
      <ConfirmButton label="Delete" fullLabel="Delete the endpoint" question="Delete this endpoint?" act={remove}>
        It receives nothing any more, and its messages and attempts disappear. Nobody can undo this.
      </ConfirmButton>
      <Said action={action} />
      {open === "settings" ? (
        <EndpointForm
          title="Change the endpoint"
          endpoint={endpoint}
          save={async (settings) => {
            await updateEndpoint(id, changesOf(endpoint, settings));
            changed();
          }}
          close={() => setOpen(undefined)}
        />
      ) : null}
      {open === "headers" ? <HeadersForm endpointId={id} close={() => setOpen(undefined)} /> : null}
      {secret === undefined ? null : <NewSecret secret={secret} close={() => setSecret(undefined)} />}
    </div>
  );
}

/** The secret of an endpoint, after it was made. */
export const NewSecret = ({ secret, close }: { readonly secret: string; readonly close: () => void }) => (
  <SecretOnce title="The signing secret" label="secret" secret={secret} close={close}>
    Your backend verifies the signature of each message with this secret.
  </SecretOnce>
);
