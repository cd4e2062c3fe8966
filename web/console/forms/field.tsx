import type { ComponentChildren } from "preact";

interface FieldProps {
  readonly label: string;
  /** What to enter, below the label. */
  readonly hint?: string;
  readonly children: ComponentChildren;
}

/** A labelled field of a form. */
export const Field = ({ label, hint, children }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the children are the control.
  <label class="field">
    <span>{label}</span>
    {children}
    {hint ? <span class="quiet small">{hint}</span> : null}
  </label>
);

/** The text of a field in a submitted form, without spaces around it. */
export const fieldText = (form: FormData, name: string) => String(form.get(name) ?? "").trim();
