/** A visited page. */
export interface Visited {
  readonly path: string
  readonly title: string
}

const STORED = 'corvus-recent'
const MAX_RECENT_PAGES = 8

// Keyed by the path at the time the title was set: titles change during navigation.
const titles = new Map<string, string>()

/** Remembers the title of the page at the current path. */
export const rememberTitle = (path: string, title: string): void => {
  titles.set(path, title)
}

/** The title of the page at a path, if it has been set. */
export const titleAt = (path: string): string | undefined => titles.get(path)

/** Pages of single objects: all others are in the navigation. */
const OBJECT_PAGE = /^\/(?!admin\/)[\w-]+\/(?!new$)[\w-]+$/

/** Adds a page to the list, latest first and without duplicates. */
export const remembered = (before: readonly Visited[], visited: Visited): readonly Visited[] =>
  OBJECT_PAGE.test(visited.path)
    ? [visited, ...before.filter(({ path }) => path !== visited.path)].slice(0, MAX_RECENT_PAGES)
    : before

/** Recently visited pages in this window, stored per user so that the next user does not see them. */
export function recentPages(user: string): readonly Visited[] {
  try {
    const stored: { user?: string; pages?: readonly Visited[] } = JSON.parse(sessionStorage.getItem(STORED) ?? '{}')
    return stored.user === user ? (stored.pages ?? []) : []
  } catch {
    return []
  }
}

/** Adds a page to the recently visited ones. */
export function rememberPage(user: string, visited: Visited): void {
  sessionStorage.setItem(STORED, JSON.stringify({ user, pages: remembered(recentPages(user), visited) }))
}
