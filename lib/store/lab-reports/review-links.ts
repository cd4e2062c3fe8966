import { reviewLinks } from "../../contract/resources.ts";
import { type ReviewLink, reviewLink } from "../../domain/lab-reports/review-link.ts";
import { isNew, type Key, type Table } from "../table.ts";

const linkKey = (sha256: string): Key => ({ pk: `${reviewLinks.keyPrefix}${sha256}`, sk: "link" });

/** Links to the page on which a lab report is looked through, by the SHA-256 (hex) of their secrets. */
export class ReviewLinkStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The link, whether or not it has expired; it is read to authenticate, when nobody has a right yet. */
  get(sha256: string): Promise<ReviewLink | undefined> {
    return this.#table.get(linkKey(sha256), reviewLink);
  }

  /** @throws ConditionFailed when there is one under this hash. */
  create(sha256: string, link: ReviewLink): Promise<void> {
    return this.#table.put({ ...linkKey(sha256), ...link }, { ConditionExpression: isNew });
  }
}
