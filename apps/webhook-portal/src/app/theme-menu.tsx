import { Icon } from '../components/icon.tsx';
import { Menu, MenuCheck, MenuChoice } from '../components/menu.tsx';
import { themes, useMoreContrast, useTheme } from './theme.ts';

export function ThemeMenu() {
  const [theme, setTheme] = useTheme();
  const [more, setMore] = useMoreContrast();
  return (
    <Menu
      className="icon-button"
      name="Theme"
      label={`Theme: ${words[theme]}`}
      face={<Icon name={icons[theme]} size={18} />}
      align="end"
    >
      {themes.map((name) => (
        <MenuChoice key={name} checked={name === theme} onChoose={() => setTheme(name)}>
          <Icon name={icons[name]} />
          <span className="menu__words">{words[name]}</span>
        </MenuChoice>
      ))}
      <MenuCheck checked={more} onChoose={() => setMore(!more)}>
        <Icon name="contrast" />
        <span className="menu__words">More contrast</span>
      </MenuCheck>
    </Menu>
  );
}

const words = { system: 'Like the system', light: 'Light', dark: 'Dark' };
const icons = { system: 'system', light: 'sun', dark: 'moon' } as const;
