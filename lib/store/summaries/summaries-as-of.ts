import { compareText } from "../../domain/shared/compare-text.ts";
import { VERSION_PREFIX } from "./summary-keys.ts";
import { hasSameContent, type SummaryRecord } from "./summary-record.ts";
import { currentSince, isFromSource, type SortableSummary, type SummaryVersion } from "./summary-versions.ts";

/**
 * Returns the summaries as of an instant (epoch ms) from current summaries and the versions of that time, in their
 * common order.
 */
export function summariesAsOf(stored: readonly SortableSummary[], versions: readonly SummaryVersion[], asOfMs: number) {
  const standing = stored.map((record) => ({ ...record, since_ms: currentSince(record) }));
  const known = [...standing.filter(({ since_ms }) => since_ms <= asOfMs), ...versions];
  const best = [...Map.groupBy(known, ({ id }) => id).values()].flatMap((contents) => latestContent(contents, asOfMs));
  return withoutReplacedDerivations(best).sort((a, b) => compareText(sortPositionOf(a), sortPositionOf(b)));
}

/** A derived summary is not current while one of its day and source from the source is. */
function withoutReplacedDerivations(records: readonly SortableSummary[]): SortableSummary[] {
  const subject = ({ day, provider, source_type }: SummaryRecord) => [day, provider, source_type].join("#");
  const sent = new Set(records.filter(isFromSource).map(subject));
  return records.filter((record) => isFromSource(record) || !sent.has(subject(record)));
}

interface Since extends SortableSummary {
  readonly since_ms: number;
}

/**
 * Returns the latest of several contents. Of equal successive contents it returns the first, because the later ones
 * only repeat it.
 */
function latestContent(contents: readonly Since[], asOfMs: number): SortableSummary[] {
  const [last, ...earlier] = contents.toSorted((a, b) => compare(b, a, asOfMs));
  if (!last) return [];
  const differs = earlier.findIndex((one) => isFromSource(one) !== isFromSource(last) || !hasSameContent(one, last));
  const same = differs < 0 ? earlier : earlier.slice(0, differs);
  return [same.at(-1) ?? last];
}

/** Contents from the source come after derived ones, then later after earlier. */
function compare(a: Since, b: Since, asOfMs: number): number {
  if (isFromSource(a) !== isFromSource(b)) return isFromSource(a) ? 1 : -1;
  if (isFromSource(a)) return compareText(lastReceipt(a, asOfMs), lastReceipt(b, asOfMs));
  return a.since_ms - b.since_ms || a.version - b.version;
}

/** Returns the last receipt of a content until an instant. Receipt ids sort by time. */
const lastReceipt = ({ receipt_id, latest_receipt_id, latest_received_at }: Since, asOfMs: number): string =>
  latest_receipt_id !== undefined && (latest_received_at ?? Number.POSITIVE_INFINITY) <= asOfMs
    ? latest_receipt_id
    : receipt_id;

const sortPositionOf = ({ sk, summary_time = "" }: SortableSummary) =>
  `${summary_time}${sk.startsWith(VERSION_PREFIX) ? sk.slice(VERSION_PREFIX.length) : sk}`;
