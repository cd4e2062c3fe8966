import type { ComponentChildren } from "preact";

interface ScrollFrameProps {
  readonly class: string;
  readonly label: string;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
}

/** Content that scrolls on its own. The keyboard reaches it, and it is a group, which is no landmark. */
export function ScrollFrame({ class: name, label, onKeyDown, children }: ScrollFrameProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form.
    <div
      class={name}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      {...(onKeyDown ? { onKeyDown } : {})}
    >
      {children}
    </div>
  );
}
