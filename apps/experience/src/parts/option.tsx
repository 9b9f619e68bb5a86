import type { ComponentChildren } from 'preact';

interface OptionProps {
  group: string;
  value: string;
  checked: boolean;
  onChoose: () => void;
  title: ComponentChildren;
  note?: ComponentChildren;
  /** True for a column in a row of options, instead of a full row. */
  tile?: boolean;
  /** Makes it a tile with the title as a large number and this word below it. */
  unit?: string;
  disabled?: boolean;
}

interface RadioGroupProps {
  legend: string;
  /** True for a group whose heading says the same. */
  hidesLegend?: boolean;
  /** The class of its layout, if the options are not full rows. */
  layout?: 'options--row' | 'options--days';
  describedBy?: string;
  isOptional?: boolean;
  children: ComponentChildren;
}

/** A choice of one option. It is required unless `isOptional`, which a plain fieldset can't express. */
export function RadioGroup(props: RadioGroupProps) {
  const { legend, hidesLegend = false, layout, describedBy, isOptional = false, children } = props;
  return (
    <fieldset
      class={layout === undefined ? 'options' : `options ${layout}`}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML allows it on a fieldset.
      role="radiogroup"
      aria-required={!isOptional}
      aria-describedby={describedBy}
    >
      <legend class={hidesLegend ? 'svc-visually-hidden' : 'svc-field__label'}>{legend}</legend>
      {children}
    </fieldset>
  );
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
