import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface PageProps {
  /** Names the view, never a person. */
  readonly title: string;
  readonly trail?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A view: its heading with actions, and its content. */
export function Page({ title, trail, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Tributary`;
  }, [title]);
  return (
    <>
      <header class="page-head">
        <div class="page-title">
          {trail ? <p class="trail">{trail}</p> : null}
          <h1>{title}</h1>
        </div>
        {actions ? <div class="row actions">{actions}</div> : null}
      </header>
      {children}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled part of a view. */
export function Section({ title, note, actions, children }: SectionProps) {
  return (
    <section class="section" aria-label={title}>
      <header class="section-head">
        <h2>{title}</h2>
        {note ? <p class="quiet">{note}</p> : null}
        {actions ? <div class="row actions">{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}
