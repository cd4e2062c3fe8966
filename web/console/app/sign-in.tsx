import { useState } from "preact/hooks";
import { toProblem } from "../api/use-load.ts";
import { ProviderButton } from "./provider-button.tsx";
import { roles, signIn, signInNotice } from "./session.ts";
import { useStore } from "./store.ts";

/** Asks for a team key and exchanges it for a session. The page keeps the key nowhere. */
export function SignIn() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const notice = useStore(signInNotice);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    setBusy(true);
    setError("");
    const name = text("name");
    await signIn({ key: text("key"), role: text("role"), ...(name ? { name } : {}) }).catch((thrown) => {
      setError(toProblem(thrown).message);
      setBusy(false);
    });
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit} autoComplete="off">
        <h1>Tributary console</h1>
        {notice ? <p role="status">{notice}</p> : null}
        <ProviderButton />
        <p class="quiet">
          Sign in with an API key or an access token of your team. The session ends after thirty minutes without
          activity, and after eight hours. It may do no more than the key.
        </p>
        <label for="key">Key or token</label>
        <input id="key" name="key" type="password" required spellcheck={false} autoComplete="off" />
        <label for="name">Your name, for the access log</label>
        <input id="name" name="name" maxLength={80} autoComplete="off" />
        <label for="role">Role</label>
        <select id="role" name="role">
          {Object.entries(roles).map(([role, meaning]) => (
            <option key={role} value={role}>
              {role}: {meaning}
            </option>
          ))}
        </select>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
        <p class="bad-text" role="alert">
          {error}
        </p>
      </form>
    </main>
  );
}
