import { Menu } from '@base-ui/react/menu';
import { Icon } from '../parts/icon.tsx';
import { type Theme, themes, useTheme } from './theme.ts';

export function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="icon-button" aria-label={`Theme: ${words[theme]}`} title="Theme">
        <Icon name={icons[theme]} size={18} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={6} align="end">
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={theme} onValueChange={(value: Theme) => setTheme(value)}>
              {themes.map((name) => (
                <Menu.RadioItem key={name} value={name} className="menu__item" closeOnClick>
                  <Icon name={icons[name]} />
                  <span className="menu__words">{words[name]}</span>
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
  );
}

const words = { system: 'Like the system', light: 'Light', dark: 'Dark' };
const icons = { system: 'system', light: 'sun', dark: 'moon' } as const;
