import { useState } from "preact/hooks";
import { toProblem } from "../api/use-load.ts";
import { signIn } from "./session.ts";

/** Asks for a team key and exchanges it for a session. The page keeps the key nowhere. */
export function SignIn() {
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError("");
    await signIn(key.trim()).catch((thrown) => {
      setError(toProblem(thrown).message);
      setBusy(false);
    });
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>Tributary console</h1>
        <p class="quiet">
          Sign in with an API key or an access token of your team. The session lasts a few hours and may do no more than
          the key.
        </p>
        <label for="key">Key or token</label>
        <input
          id="key"
          type="password"
          required
          autoComplete="off"
          spellcheck={false}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
          aria-describedby="sign-in-error"
        />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
        <p id="sign-in-error" class="bad-text" role="alert">
          {error}
        </p>
      </form>
    </main>
  );
}
