import { Loading, ProblemNote } from "../parts/states.tsx";
import { resumeProblem, resumeSession } from "./resume-session.ts";
import { session } from "./session.ts";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in.tsx";
import { unfinishedSignOut } from "./sign-out.ts";
import { SignOutNote } from "./sign-out-note.tsx";
import { useStore } from "./store.ts";

/** The whole page: the sign-in, or the views. */
export function App() {
  const present = useStore(session);
  const left = useStore(unfinishedSignOut);
  const problem = useStore(resumeProblem);
  if (left) return <SignOutNote problem={left.problem} />;
  if (present) return <Shell key={present.session_id} session={present} />;
  if (present === null) return <SignIn />;
  return (
    <main class="content">
      {problem ? <ProblemNote problem={problem} retry={() => void resumeSession()} /> : <Loading lines={6} />}
    </main>
  );
}
