import { Link } from "../../parts/link.tsx";

interface FigureProps {
  readonly name: string;
  readonly value: string;
  /** The place with what the number counts. */
  readonly to?: string;
  readonly tone?: "bad" | "plain";
}

/** A count with its name, which leads to what it counts. */
export function Figure({ name, value, to, tone = "plain" }: FigureProps) {
  const content = (
    <>
      <span class="quiet small">{name}</span>
      <strong class={tone === "bad" ? "bad-text" : ""}>{value}</strong>
    </>
  );
  return to ? (
    <Link class="total" to={to}>
      {content}
    </Link>
  ) : (
    <div class="total">{content}</div>
  );
}
