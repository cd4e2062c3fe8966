import { useState } from "preact/hooks";

/** An id with a button that copies it. */
export function CopyId({ id, label = "id" }: { readonly id: string; readonly label?: string }) {
  const [said, setSaid] = useState("Copy");
  const copy = async () => {
    // Without a secure context or permission there is no clipboard.
    const isCopied = await navigator.clipboard?.writeText(id).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? "Copied" : "Select and copy it");
    setTimeout(() => setSaid("Copy"), 2_000);
  };
  return (
    <span class="copy-id">
      <code>{id}</code>
      <button type="button" class="quiet-button" onClick={copy} aria-label={`Copy the ${label}`}>
        {said}
      </button>
    </span>
  );
}
