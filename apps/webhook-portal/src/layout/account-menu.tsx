import { useMutation, useQueryClient } from '@tanstack/react-query';
import { forgetAllButSession } from '../api/query-client.ts';
import { closeSession, sessionQuery } from '../api/session.ts';
import { openShortcuts } from '../keyboard/shortcuts-dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
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
      queryClient.setQueryData(sessionQuery.queryKey, null);
      forgetAllButSession(queryClient);
    },
    onError: (error) => say(`You are still signed in. ${error.message}`),
  });
  return (
    <Menu
      className="icon-button"
      name="Session"
      label="Session"
      face={<Icon name="user" size={18} />}
      align="end"
    >
      <div className="menu__label">
        <strong>{session.pms}</strong>
        <span title={exactTime(session.expires_at)}>Session ends {endsIn}</span>
      </div>
      <MenuItem onChoose={openShortcuts}>
        <span className="menu__words">Keyboard shortcuts</span>
        <kbd>?</kbd>
      </MenuItem>
      <MenuItem onChoose={() => leaving.mutate()}>
        <span className="menu__words">Sign out</span>
      </MenuItem>
    </Menu>
  );
}
