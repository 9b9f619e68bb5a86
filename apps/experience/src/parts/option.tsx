import type { ComponentChildren } from 'preact';

interface OptionProps {
  group: string;
  value: string;
  checked: boolean;
  onChoose: () => void;
  title: ComponentChildren;
  note?: string;
  /** A column in a row of options instead of a full row. */
  tile?: boolean;
  /** Makes it a tile with the title as a large number and this word below it. */
  unit?: string;
  disabled?: boolean;
}

/** A radio button in a card. The whole card can be clicked. */
export function Option({
  group,
  value,
  checked,
  onChoose,
  title,
  note,
  tile,
  unit,
  disabled = false,
}: OptionProps) {
  const isTile = tile === true || unit !== undefined;
  return (
    <label class={isTile ? 'option option--tile' : 'option'}>
      <input
        type="radio"
        class="option__radio"
        name={group}
        value={value}
        checked={checked}
        disabled={disabled}
        onChange={onChoose}
      />
      <span class="option__text">
        <span class={unit === undefined ? 'option__title' : 'option__number'}>{title}</span>{' '}
        {unit !== undefined && <span class="option__unit">{unit} </span>}
        {note !== undefined && <span class="option__note">{note}</span>}
      </span>
    </label>
  );
}
