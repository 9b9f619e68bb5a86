import { Icon } from '../parts/icon.tsx';
import { Menu, MenuChoice } from '../parts/menu.tsx';
import { visibleText } from '../text/visible-text.ts';

export interface Option {
  value: string;
  label: string;
}

/** A filter as a chip: dashed while unset, with its value and a cross once set. */
export function FacetMenu(props: {
  label: string;
  value: string | undefined;
  options: readonly Option[];
  onChange: (value: string | undefined) => void;
}) {
  const { label, value, options, onChange } = props;
  const words = options.find((option) => option.value === value)?.label ?? value;
  return (
    <span className="chip" data-set={value !== undefined}>
      {options.length === 0 ? (
        <span className="chip__words">{chipWords(label, words)}</span>
      ) : (
        <Menu className="chip__words" name={label} face={chipWords(label, words)}>
          {options.map((option) => (
            <MenuChoice
              key={option.value}
              checked={option.value === value}
              onChoose={() => onChange(option.value)}
            >
              <span className="menu__words">{visibleText(option.label)}</span>
            </MenuChoice>
          ))}
        </Menu>
      )}
      <ChipCross label={label} shown={value !== undefined} onRemove={() => onChange(undefined)} />
    </span>
  );
}

export function ChipCross(props: {
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

export function chipWords(label: string, words: string | undefined) {
  if (words === undefined) return label;
  return (
    <>
      {label}: <strong>{visibleText(words)}</strong>
    </>
  );
}
