import { Link } from "../../parts/link.tsx";
import { Empty } from "../../parts/states.tsx";

/** Says that the address names a day that no calendar has. @param to the same view of the last day. */
export const NoSuchDay = ({ to }: { readonly to: string }) => (
  <Empty title="There is no such day">
    The address names none, such as 2026-11-25. <Link to={to}>Go to the last day</Link>
  </Empty>
);
