/** A JSON document as text, indented. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group is no landmark, unlike a section.
    <div class="json" role="group" aria-label={label} tabIndex={0}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </div>
  );
}
