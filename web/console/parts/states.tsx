import type { ComponentChildren } from "preact";
import type { Problem } from "../api/request.ts";
import type { Load } from "../api/use-load.ts";
import { session } from "../app/session.ts";
import { useStore } from "../app/store.ts";

interface EmptyProps {
  readonly title: string;
  /** What to do, or why nothing is here. */
  readonly children?: ComponentChildren;
}

/** Says that a list is empty and what would fill it. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children ? <p class="quiet">{children}</p> : null}
    </div>
  );
}

/** Lines in the place of content that loads. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="loading-line" />
      ))}
    </div>
  );
}

interface ProblemNoteProps {
  readonly problem: Problem;
  readonly retry?: (() => void) | undefined;
}

/** Says what failed and what helps, with the request id for operators. */
export function ProblemNote({ problem, retry }: ProblemNoteProps) {
  const role = useStore(session)?.role ?? "none";
  if (problem.status === 403)
    return (
      <Empty title="Your session may not see this">
        It has the role {role}. {problem.message} Ask an admin of the team for another role, or sign in with a key that
        has the permission.
      </Empty>
    );
  return (
    <div class="state" role="alert">
      <p class="state-title bad-text">{problem.message}</p>
      <p class="quiet">
        {adviceFor(problem)} {problem.requestId ? <code>request {problem.requestId}</code> : null}
      </p>
      {retry ? (
        <button type="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

function adviceFor({ status, requestId }: Problem): string {
  if (status === 404) return "Check the id, and whether it belongs to this team.";
  if (status === 422) return "Change the selection and try again.";
  if (status === 429) return "Too many requests: wait a moment.";
  return requestId ? "If it stays, pass on this id:" : "";
}

interface LoadedProps<Value> {
  readonly load: Load<Value>;
  readonly lines?: number;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows a value once it is there; before that a skeleton, and otherwise what went wrong. */
export function Loaded<Value>({ load, lines = 4, children }: LoadedProps<Value>) {
  if (load.problem) return <ProblemNote problem={load.problem} retry={load.reload} />;
  if (load.value === undefined) return <Loading lines={lines} />;
  return <>{children(load.value)}</>;
}
