import { useState } from "preact/hooks";

/** An id with a button that copies it. */
export function CopyId({ id, label = "id" }: { readonly id: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(id).catch(() => undefined);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <span class="copy-id">
      <code>{id}</code>
      <button type="button" class="quiet-button" onClick={copy} aria-label={`Copy the ${label}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </span>
  );
}
