import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { writeSearch } from '../filters/search-params.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu, MenuChoice } from '../parts/menu.tsx';
import type { Section, SectionGroup } from './sections.ts';
import './navigation.css';

export function Navigation({ groups }: { groups: readonly SectionGroup[] }) {
  const onPhone = new Set(groups[0]?.sections.slice(0, sectionsOnPhone));
  const { isAtView } = useCurrent(groups);
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
              activeOptions={
                isAtView || section.search ? exactMatch : { exact: false, includeSearch: false }
              }
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

const exactMatch = { exact: true, includeSearch: true };

/** Determines the current section. A saved view that is shown is current instead of the section that it filters. */
function useCurrent(groups: readonly SectionGroup[]) {
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location });
  const isView = ({ to, search }: Section) =>
    search !== undefined && to === pathname && writeSearch(search) === searchStr;
  const isAtView = groups.some(({ sections }) => sections.some(isView));
  const isCurrent = (section: Section) =>
    isAtView
      ? isView(section)
      : section.search === undefined &&
        (pathname === section.to || pathname.startsWith(`${section.to}/`));
  return { isAtView, isCurrent };
}

function More({ groups }: { groups: readonly SectionGroup[] }) {
  const navigate = useNavigate();
  const { isCurrent } = useCurrent(groups);
  const rest = groups.map((group, index) =>
    index === 0 ? { ...group, sections: group.sections.slice(sectionsOnPhone) } : group,
  );
  const open = rest.some(({ sections }) => sections.some(isCurrent));
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
            {sections.map((section) => (
              <MenuChoice
                key={`${section.to} ${section.label}`}
                checked={isCurrent(section)}
                onChoose={() => void navigate({ to: section.to, search: section.search ?? {} })}
              >
                <span className="menu__words">
                  <Icon name={section.icon} /> {section.label}
                </span>
              </MenuChoice>
            ))}
          </div>
        ))}
      </Menu>
    </div>
  );
}
