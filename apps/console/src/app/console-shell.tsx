import { Shell } from '@svc/ui/console/shell/shell.tsx';
import { useSession } from '../session/use-session.ts';
import { GoToDialog } from './go-to-dialog.tsx';
import { useSectionGroups } from './sections.ts';
import { TopBar } from './top-bar.tsx';

export function ConsoleShell() {
  const { environment } = useSession();
  return (
    <Shell
      environment={environment}
      groups={useSectionGroups()}
      bar={<TopBar />}
      quickDialog={<GoToDialog />}
      quickDialogWords="Go to a section, message, request or tenant"
    />
  );
}
