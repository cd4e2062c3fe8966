import type { Problem } from "../api/request.ts";
import { Loading } from "../parts/states.tsx";
import { resumeSession } from "./resume-session.ts";

/** Says that the service has not ended a session yet whose person has signed out, and tries again. */
export function SignOutNote({ problem }: { readonly problem: Problem | null }) {
  return (
    <main class="sign-in">
      <div class="card form">
        {problem ? (
          <>
            <h1>You are not signed out yet</h1>
            <p role="alert">
              {problem.message} Until it succeeds, this browser opens the session again. Stay here and try again, or ask
              an admin to end the session.
            </p>
            <div class="row">
              <button type="button" class="primary" onClick={() => void resumeSession()}>
                Try again
              </button>
            </div>
          </>
        ) : (
          <>
            <h1>Signing out</h1>
            <Loading lines={2} />
          </>
        )}
      </div>
    </main>
  );
}
