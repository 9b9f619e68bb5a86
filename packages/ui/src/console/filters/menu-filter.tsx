import { Icon } from '../parts/icon.tsx';
import { Menu, MenuCheck, MenuChoice } from '../parts/menu.tsx';
import { visibleText } from '../text/visible-text.ts';

export interface Option {
  value: string;
  label: string;
}

/** A filter chip that opens a menu of options. Dashed when unset; shows its value and a remove button when set. */
export function MenuFilter(props: {
  label: string;
  value: string | undefined;
  options: readonly Option[];
  /** True if several options can be selected. `value` then lists them, separated by commas. */
  many?: boolean;
  onChange: (value: string | undefined) => void;
}) {
  const { label, value, options, onChange } = props;
  const chosen = value === undefined ? [] : props.many ? value.split(',') : [value];
  const words = chosen.map(
    (each) => options.find((option) => option.value === each)?.label ?? each,
  );
  const toggle = (each: string) => {
    const rest = chosen.filter((other) => other !== each);
    const next = rest.length < chosen.length ? rest : [...chosen, each];
    onChange(next.length === 0 ? undefined : next.join(','));
  };
  const face = chipLabel(label, chosen.length === 0 ? undefined : words.join(', '));
  return (
    <span className="chip" data-set={value !== undefined}>
      {options.length === 0 ? (
        <span className="chip__words">{face}</span>
      ) : (
        <Menu className="chip__words" name={label} face={face}>
          {options.map((option) => {
            const item = {
              checked: chosen.includes(option.value),
              children: <span className="menu__words">{visibleText(option.label)}</span>,
            };
            return props.many ? (
              <MenuCheck key={option.value} {...item} onChoose={() => toggle(option.value)} />
            ) : (
              <MenuChoice key={option.value} {...item} onChoose={() => onChange(option.value)} />
            );
          })}
        </Menu>
      )}
      <RemoveChipButton
        label={label}
        shown={value !== undefined}
        onRemove={() => onChange(undefined)}
      />
    </span>
  );
}

export function RemoveChipButton(props: {
  label: string;
  what?: string;
  shown: boolean;
  onRemove: () => void;
}) {
  if (!props.shown) return null;
  const label = `${props.what ?? 'Remove filter'} ${props.label}`;
  return (
    <button
      type="button"
      className="chip__cross"
      aria-label={label}
      title={label}
      onClick={props.onRemove}
    >
      <Icon name="close" size={12} />
    </button>
  );
}

export function chipLabel(label: string, words: string | undefined) {
  if (words === undefined) return label;
  return (
    <>
      {label}: <strong>{visibleText(words)}</strong>
    </>
  );
}
