import { Loading } from "../parts/states.tsx";
import { session } from "./session.ts";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in.tsx";
import { useStore } from "./store.ts";

/** The whole page: the sign-in, or the views. */
export function App() {
  const present = useStore(session);
  if (present === undefined)
    return (
      <main class="content">
        <Loading lines={6} />
      </main>
    );
  return present === null ? <SignIn /> : <Shell session={present} />;
}
