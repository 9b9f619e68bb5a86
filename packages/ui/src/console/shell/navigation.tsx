import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Icon } from '../parts/icon.tsx';
import { Menu, MenuChoice } from '../parts/menu.tsx';
import type { SectionGroup } from './sections.ts';
import './navigation.css';

export function Navigation({ groups }: { groups: readonly SectionGroup[] }) {
  const onPhone = new Set(groups[0]?.sections.slice(0, sectionsOnPhone));
  return (
    <nav className="rail" aria-label="Console">
      <Link to="/" className="rail__link rail__link--wide" activeOptions={{ exact: true }}>
        <Icon name="home" size={18} />
        <span className="rail__label">Home</span>
        <span className="rail__short">Home</span>
      </Link>
      {groups.map(({ name, sections }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
        <div key={name} className="rail__group" role="group" aria-label={name}>
          <span className="rail__heading" aria-hidden="true">
            {name}
          </span>
          {sections.map((section) => (
            <Link
              key={`${section.to} ${section.label}`}
              to={section.to}
              search={section.search ?? {}}
              className={onPhone.has(section) ? 'rail__link' : 'rail__link rail__link--wide'}
              activeOptions={{ includeSearch: section.search !== undefined }}
            >
              <Icon name={section.icon} size={18} />
              <span className="rail__label">{section.label}</span>
              <span className="rail__short">{section.short}</span>
            </Link>
          ))}
        </div>
      ))}
      <More groups={groups} />
    </nav>
  );
}

/** The number of sections shown on phones. The rest are in the "More" menu. */
const sectionsOnPhone = 4;

function More({ groups }: { groups: readonly SectionGroup[] }) {
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const rest = groups.map((group, index) =>
    index === 0 ? { ...group, sections: group.sections.slice(sectionsOnPhone) } : group,
  );
  const isAt = (to: string) => path === to || path.startsWith(`${to}/`);
  const open = rest.some(({ sections }) => sections.some(({ to }) => isAt(to)));
  return (
    <div className="rail__more">
      <Menu
        className={open ? 'rail__link active' : 'rail__link'}
        name="More sections"
        align="end"
        face={
          <>
            <Icon name="more" size={18} />
            <span>More</span>
          </>
        }
      >
        {rest.map(({ name, sections }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
          <div key={name} role="group" aria-label={name}>
            <span className="menu__label" aria-hidden="true">
              {name}
            </span>
            {sections.map(({ to, search = {}, label, icon }) => (
              <MenuChoice
                key={`${to} ${label}`}
                checked={isAt(to)}
                onChoose={() => void navigate({ to, search })}
              >
                <span className="menu__words">
                  <Icon name={icon} /> {label}
                </span>
              </MenuChoice>
            ))}
          </div>
        ))}
      </Menu>
    </div>
  );
}
