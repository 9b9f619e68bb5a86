import { Menu } from '@base-ui/react/menu';
import { Icon } from '../parts/icon.tsx';
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
        <Menu.Root modal={false}>
          <Menu.Trigger className="chip__words">{chipWords(label, words)}</Menu.Trigger>
          <Menu.Portal>
            <Menu.Positioner className="floating" sideOffset={6} align="start">
              <Menu.Popup className="menu">
                <Menu.RadioGroup
                  value={value ?? null}
                  onValueChange={(chosen: string) => onChange(chosen)}
                >
                  {options.map((option) => (
                    <Menu.RadioItem
                      key={option.value}
                      value={option.value}
                      className="menu__item"
                      closeOnClick
                    >
                      <span className="menu__words">{visibleText(option.label)}</span>
                      <Menu.RadioItemIndicator>
                        <Icon name="check" />
                      </Menu.RadioItemIndicator>
                    </Menu.RadioItem>
                  ))}
                </Menu.RadioGroup>
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.Root>
      )}
      <ChipCross label={label} shown={value !== undefined} onRemove={() => onChange(undefined)} />
    </span>
  );
}

export function ChipCross(props: { label: string; shown: boolean; onRemove: () => void }) {
  if (!props.shown) return null;
  const label = `Remove filter ${props.label}`;
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
