import { useState } from "preact/hooks";
import { beginProviderSignIn, providerError, providerTeam } from "./provider-sign-in.ts";
import { useStore } from "./store.ts";

/** Leads to the provider of a team, if the page knows the team. */
export function ProviderButton() {
  const [isBusy, setBusy] = useState(false);
  const error = useStore(providerError);
  const team = useStore(providerTeam);
  const begin = async () => {
    if (team === null) return;
    setBusy(true);
    await beginProviderSignIn(team);
    setBusy(false);
  };
  return (
    <>
      {team === null ? null : (
        <button type="button" class="primary" onClick={begin} disabled={isBusy}>
          Continue to your organisation
        </button>
      )}
      {error ? (
        <p class="bad-text" role="status">
          {error}
        </p>
      ) : null}
    </>
  );
}
