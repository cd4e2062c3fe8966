/** A type of events. In a narrow column it breaks at its dots, not within a word. */
export function EventType({ type }: { readonly type: string | undefined }) {
  const parts = (type ?? "of a deleted user").split(".");
  return (
    <>
      {parts.map((part, at) => (
        <span key={parts.slice(0, at + 1).join()}>
          {at > 0 ? "." : ""}
          {part}
          <wbr />
        </span>
      ))}
    </>
  );
}
