/** The cookie of a console's sessions. */
export interface SessionCookie {
  readonly name: string;
  readonly secure: boolean;
}

/** The `__Host-` prefix keeps other hosts of the domain from setting the cookie. Browsers accept it on https only. */
export function sessionCookie(name: 'svc_portal' | 'svc_operator', origin: string): SessionCookie {
  const secure = origin.startsWith('https:');
  return { name: secure ? `__Host-${name}` : name, secure };
}
