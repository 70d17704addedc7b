import { z } from 'zod'

/** A path of this server: printable, and nothing that a browser could take for another one. */
const LOCAL_PATH = /^\/(?![/\\])[!-[\]-~]{0,1999}$/

/** Where somebody goes after the sign-in. */
export const returnTo = z.string().regex(LOCAL_PATH, 'must be a path on this server, such as /dashboards').default('/')

/** Where somebody goes whose sign-in came to nothing; the page there has a sentence for each reason. */
export function failedAt(baseUrl: string, path: string, reason: string): string {
  const url = new URL(`${baseUrl}${path}`)
  url.searchParams.set('error', reason)
  return url.href
}
