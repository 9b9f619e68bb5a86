import { Icon } from '../parts/icon.tsx';
import { Menu, MenuCheck, MenuChoice } from '../parts/menu.tsx';
import { themes, useMoreContrast, useTheme } from './theme.ts';

export function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  const [more, setMore] = useMoreContrast();
  return (
    <Menu
      className="icon-button"
      name="Theme"
      label={`Theme: ${themeLabels[theme]}`}
      face={<Icon name={icons[theme]} size={18} />}
      align="end"
    >
      {themes.map((name) => (
        <MenuChoice key={name} checked={name === theme} onChoose={() => setTheme(name)}>
          <Icon name={icons[name]} />
          <span className="menu__words">{themeLabels[name]}</span>
        </MenuChoice>
      ))}
      <MenuCheck checked={more} onChoose={() => setMore(!more)}>
        <Icon name="contrast" />
        <span className="menu__words">More contrast</span>
      </MenuCheck>
    </Menu>
  );
}

const themeLabels = { system: 'System', light: 'Light', dark: 'Dark' };
const icons = { system: 'system', light: 'sun', dark: 'moon' } as const;
