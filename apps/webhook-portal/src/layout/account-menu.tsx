import { Menu } from '@base-ui/react/menu';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { closeSession, sessionQuery } from '../api/session.ts';
import { openShortcuts } from '../keyboard/shortcuts-dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { say } from '../parts/toast.tsx';
import { useSession } from '../session/session-gate.tsx';
import { useClock } from '../time/clock.ts';
import { describeWait, exactTime } from '../time/relative-time.ts';

export function AccountMenu() {
  const session = useSession();
  const queryClient = useQueryClient();
  const ends = Date.parse(session.expires_at);
  const endsIn = useClock((now) => describeWait(ends - now));
  const leaving = useMutation({
    mutationFn: closeSession,
    onSuccess: () => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, null);
    },
    onError: (error) => say(`You are still signed in. ${error.message}`),
  });
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="icon-button" aria-label="Session" title="Session">
        <Icon name="user" size={18} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={6} align="end">
          <Menu.Popup className="menu">
            <Menu.Group>
              <Menu.GroupLabel className="menu__label">
                <strong>{session.pms}</strong>
                <span title={exactTime(session.expires_at)}>Session ends {endsIn}</span>
              </Menu.GroupLabel>
              <Menu.Item className="menu__item" onClick={openShortcuts}>
                <span className="menu__words">Keyboard shortcuts</span>
                <kbd>?</kbd>
              </Menu.Item>
              <Menu.Item className="menu__item" onClick={() => leaving.mutate()}>
                <span className="menu__words">Sign out</span>
              </Menu.Item>
            </Menu.Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
