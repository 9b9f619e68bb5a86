import { userInfo } from 'node:os';

/**
 * Returns the name of the operating system's user, for the audit log. In a container the user is often a number
 * without an entry in /etc/passwd; then it returns a text such as `uid 10001`.
 */
export function operatingUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
