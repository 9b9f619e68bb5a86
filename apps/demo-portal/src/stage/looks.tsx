import type { ReactNode } from 'react';
import { DesktopIcon, MoonIcon, PhoneIcon, SunIcon } from '../icons.tsx';
import {
  brands,
  devices,
  languages,
  themes,
  useBrand,
  useDevice,
  useLanguage,
  useTheme,
} from '../settings.ts';
import type { Phrase } from '../words/es.ts';
import { useWords } from '../words/use-words.ts';

const brandNames = { maple: 'Maple', harbor: 'Harbor', citrus: 'Citrus', noir: 'Noir' };

/** How the portal looks: device, brand, language, and theme. */
export function Looks() {
  const { translate } = useWords();
  return (
    <div className="looks">
      <Choice
        name="device"
        legend="Device"
        values={devices}
        setting={useDevice()}
        label={(device) => translate(device === 'phone' ? 'On a phone' : 'On a desktop')}
        picture={(device) => (device === 'phone' ? <PhoneIcon /> : <DesktopIcon />)}
      />
      <Choice
        name="brand"
        legend="Brand"
        values={brands}
        setting={useBrand()}
        label={(brand) => brandNames[brand]}
        picture={(brand) => <span className="svc-brand swatch" data-brand={brand} />}
      />
      <Choice
        name="language"
        legend="Language"
        values={languages}
        setting={useLanguage()}
        label={(language) => (language === 'en' ? 'English' : 'Español')}
        picture={(language) => <span aria-hidden="true">{language.toUpperCase()}</span>}
      />
      <Choice
        name="theme"
        legend="Theme"
        values={themes}
        setting={useTheme()}
        label={(theme) => translate(theme === 'light' ? 'Light' : 'Dark')}
        picture={(theme) => (theme === 'light' ? <SunIcon /> : <MoonIcon />)}
      />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  legend: Phrase;
  values: readonly T[];
  setting: [T, (value: T) => void];
  label(value: T): string;
  picture(value: T): ReactNode;
}

/** A row of radios, each shown as a picture. */
function Choice<T extends string>({ name, legend, values, setting, ...shown }: ChoiceProps<T>) {
  const { translate } = useWords();
  const [chosen, choose] = setting;
  return (
    <fieldset className="choice" data-name={name}>
      <legend className="svc-visually-hidden">{translate(legend)}</legend>
      {values.map((value) => (
        <label key={value} className="choice__option" title={shown.label(value)}>
          <input
            type="radio"
            name={name}
            className="choice__radio"
            aria-label={shown.label(value)}
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          {shown.picture(value)}
        </label>
      ))}
    </fieldset>
  );
}
