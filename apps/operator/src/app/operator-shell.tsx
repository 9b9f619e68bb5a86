import { Shell } from '@svc/ui/console/shell/shell.tsx';
import { CommandDialogs } from '../commands/command-dialog.tsx';
import { useSession } from '../session/use-session.ts';
import { useEnvironmentIcon } from './environment.tsx';
import { SearchDialog } from './search-dialog.tsx';
import { useSectionGroups } from './sections.ts';
import { TopBar } from './top-bar.tsx';

export function OperatorShell() {
  const { environment } = useSession();
  useEnvironmentIcon(environment);
  return (
    <Shell
      environment={environment}
      groups={useSectionGroups()}
      bar={<TopBar />}
      quickDialog={
        <>
          <SearchDialog />
          <CommandDialogs />
        </>
      }
      quickDialogWords="Find a tenant, a payment or anything with an id"
    />
  );
}
