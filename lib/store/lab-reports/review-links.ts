import { reviewLinks } from "../../contract/resources.ts";
import { type ReviewLink, reviewLink } from "../../domain/lab-reports/review-link.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";

const linkKey = (sha256: string): Key => ({ pk: `${reviewLinks.keyPrefix}${sha256}`, sk: "link" });

/** Links to review pages of lab reports, by the SHA-256 (hex) of their secrets. */
export class ReviewLinkStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the link, including an expired one. Authentication reads it before any scope exists. */
  get(sha256: string): Promise<ReviewLink | undefined> {
    return this.#table.get(linkKey(sha256), reviewLink);
  }

  /** @throws ConditionFailed if the hash exists. */
  create(sha256: string, link: ReviewLink): Promise<void> {
    return this.#table.put({ ...linkKey(sha256), ...link }, { ConditionExpression: NOT_EXISTS });
  }
}
