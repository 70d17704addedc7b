import { z } from 'zod'

/** A path on this server: printable characters only, and nothing that a browser could read as another host. */
const LOCAL_PATH = /^\/(?![/\\])[!-[\]-~]{0,1999}$/

/** Where the browser continues after signing in. */
export const returnTo = z.string().regex(LOCAL_PATH, 'must be a path on this server, such as /dashboards').default('/')

/** Where the browser continues after a failed sign-in. The page there has a message for each reason. */
export function failureUrl(baseUrl: string, path: string, reason: string): string {
  const url = new URL(`${baseUrl}${path}`)
  url.searchParams.set('error', reason)
  return url.href
}
