import { useLayoutEffect, useRef } from "preact/hooks";
import { loadFiles, showPages } from "../../../review-pages.js";
import { createMetadataFields, createResultRow, listReasons, type ReviewedResult } from "../../../review-parts.js";
import type { Review } from "../../api/reports.ts";
import { toProblem } from "../../api/use-load.ts";
import { Said } from "../../forms/said.tsx";
import { type Action, useAction } from "../../forms/use-action.ts";

interface ReportFormProps {
  readonly review: Review;
  readonly accepted: () => void;
}

/** The fields of a form, which the script of the review page makes. */
interface Fields {
  readonly addRow: (result: ReviewedResult) => void;
  readonly read: () => object;
}

/** The pages of a report beside the fields of what was read. Both are those of the page of review links. */
export function ReportForm({ review, accepted }: ReportFormProps) {
  const action = useAction();
  const box = useRef<HTMLDivElement>(null);
  const fields = useRef<Fields>();
  useLayoutEffect(() => {
    if (!box.current) return;
    const made = showReview(box.current, review, action);
    fields.current = made.fields;
    return made.end;
  }, [review]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await action.run(() => review.accept(fields.current?.read() ?? {}))) accepted();
  };
  return (
    <div ref={box} class="sides">
      <section aria-label="Report">
        <div id="pages" />
      </section>
      <form onSubmit={submit} aria-label="Extracted data">
        <p class="quiet">{wordsOf(review)}</p>
        <fieldset class="card">
          <legend>Patient and laboratory</legend>
          <div class="fields" data-part="metadata" />
        </fieldset>
        <ol class="stack bare" data-part="rows" aria-label="Results" />
        <div class="row actions">
          <Said action={action} />
          <button type="button" onClick={() => fields.current?.addRow({ test_name: "", value: "" })}>
            Add a result
          </button>
          <button type="submit" class="primary" disabled={action.isBusy}>
            Accept report
          </button>
        </div>
      </form>
    </div>
  );
}

const reasonsOf = ({ report: { data, doubts } }: Review) =>
  data.results.map((result, place) => listReasons(result, doubts[place] ?? []));

function wordsOf(review: Review): string {
  const doubtful = reasonsOf(review).filter((reasons) => reasons.length > 0).length;
  return `${review.report.data.results.length} results, ${doubtful} to check. Compare each with the report.`;
}

/** Fills the form and the pages. @returns its fields, and a function that frees the files. */
function showReview(box: HTMLElement, review: Review, action: Action) {
  const { report } = review;
  const part = (name: string) => box.querySelector(`[data-part="${name}"]`) as HTMLElement;
  const reads: (() => object | undefined)[] = [];
  let show: (result: ReviewedResult) => void = () => undefined;
  const add = (about: { result: ReviewedResult; doubts?: readonly string[]; from?: number }) => {
    const row = createResultRow({
      ...about,
      find: (query) => findCodes(review, query, action),
      show: (it) => show(it),
    });
    reads.push(row.read);
    part("rows").append(row.item);
    return row;
  };
  const metadata = createMetadataFields(report.data.metadata);
  part("metadata").replaceChildren(...metadata.parts);
  part("rows").replaceChildren();
  const reasons = reasonsOf(review);
  for (const [from, result] of report.data.results.entries()) add({ result, doubts: reasons[from] ?? [], from });
  const urls = loadFiles(report.files, async (_, path) => new Response(await review.loadPart(path)));
  const pages = box.querySelector("#pages") as HTMLElement;
  urls.then(
    (loaded) => (show = showPages(pages, report, loaded)),
    (error) => (pages.textContent = toProblem(error).message),
  );
  const read = () => ({
    version: report.version,
    metadata: metadata.read(),
    results: reads.flatMap((one) => one() ?? []),
  });
  return {
    fields: { addRow: (result: ReviewedResult) => add({ result }).first.focus(), read },
    end: () =>
      void urls.then(
        (loaded) => loaded.forEach((url) => void URL.revokeObjectURL(url)),
        () => undefined,
      ),
  };
}

/** Finds codes by the name of a test, and says how many. */
async function findCodes(review: Review, query: string, action: Action) {
  let found: Awaited<ReturnType<Review["find"]>> | undefined;
  await action.run(async () => {
    if (query === "") throw new Error("Type part of the test's name.");
    const codes = await review.find(query);
    if (codes.length === 0) throw new Error("No code matches this name.");
    found = codes;
  }, "Codes found.");
  return found;
}
