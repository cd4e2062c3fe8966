import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Command, useCommands } from "./palette-commands.ts";

/** Places and actions by keyboard: type, choose with the arrow keys, run with Enter. */
export function Palette({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const commands = useCommands(text);
  const chosen = Math.min(at, commands.length - 1);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const run = (command: Command | undefined) => {
    close();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt(Math.max(0, Math.min(chosen + step, commands.length - 1)));
    if (event.key === "Enter") run(commands[chosen]);
    if (step || event.key === "Enter") event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search or jump" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Search or jump"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={commands[chosen] ? `palette-${chosen}` : undefined}
        placeholder="A view, a setting, or the complete id of a user"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options commands={commands} chosen={chosen} run={run} />
    </dialog>
  );
}

interface OptionsProps {
  readonly commands: readonly Command[];
  readonly chosen: number;
  readonly run: (command: Command) => void;
}

function Options({ commands, chosen, run }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });
  return (
    <div ref={list} id="palette-list" role="listbox" aria-label="Results" class="palette-list">
      {commands.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
        <div
          key={command.name}
          id={`palette-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onClick={() => run(command)}
        >
          <span>{command.name}</span>
          <span class="quiet">{command.hint}</span>
        </div>
      ))}
      {commands.length === 0 ? <p class="quiet">Nothing matches. Search users by their complete id.</p> : null}
    </div>
  );
}
