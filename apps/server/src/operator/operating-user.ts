import { userInfo } from 'node:os';

/**
 * The operating system's user, for the audit log. In a container the user is often a number without an
 * entry in /etc/passwd, and then `uid 10001` stands for the name.
 */
export function operatingUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
