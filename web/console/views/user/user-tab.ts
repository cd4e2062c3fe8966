import type { ComponentType } from "preact";
import type { User } from "../../api/users.ts";

/** What a tab of a user receives. */
export interface UserTabProps {
  readonly user: User;
  /** Segments of the address after the tab. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

/** A tab of a user, by its segment of the address. */
export interface UserTab {
  readonly name: string;
  readonly segment: string;
  readonly Tab: ComponentType<UserTabProps>;
}
