import { ScrollFrame } from "./scroll-frame.tsx";

/** A JSON document as text, indented. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <ScrollFrame class="json" label={label}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </ScrollFrame>
  );
}
