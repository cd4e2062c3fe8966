import type { ComponentChildren } from "preact";
import { addressOf, navigate } from "../app/route.ts";

interface LinkProps {
  /** A place in the console, such as `/users`. */
  readonly to: string;
  readonly class?: string;
  readonly isCurrent?: boolean;
  /** Whether the arrow keys stop here. */
  readonly isItem?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A link within the console, which loads no new page. Modified clicks open it as any other link. */
export function Link({ to, isCurrent, isItem, label, children, ...more }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a
      href={addressOf(to)}
      onClick={follow}
      {...more}
      {...(isCurrent ? { "aria-current": "page" } : {})}
      {...(isItem ? { "data-item": "" } : {})}
      {...(label ? { "aria-label": label } : {})}
    >
      {children}
    </a>
  );
}
