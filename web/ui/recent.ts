/** A page that somebody went to. */
export interface Visited {
  readonly path: string
  readonly title: string
}

const STORED = 'corvus-recent'
const MOST = 8

// By the address that stood above a page when it got its title: titles change while one goes from one page to the next.
const titles = new Map<string, string>()

/** Notes what the page at the address is called. */
export const noteTitle = (path: string, title: string): void => {
  titles.set(path, title)
}

/** What the page at an address was called, once it was. */
export const titleAt = (path: string): string | undefined => titles.get(path)

/** Only pages of single things: the others are in the navigation anyway. */
const SINGLE = /^\/(?!admin\/)[\w-]+\/(?!new$)[\w-]+$/

/** Adds a page to those before it, the latest first and each once. */
export const remembered = (before: readonly Visited[], visited: Visited): readonly Visited[] =>
  SINGLE.test(visited.path) ? [visited, ...before.filter(({ path }) => path !== visited.path)].slice(0, MOST) : before

/** The pages that somebody went to lately in this window; another who signs in here sees nothing of them. */
export function recentPages(user: string): readonly Visited[] {
  try {
    const stored: { user?: string; pages?: readonly Visited[] } = JSON.parse(sessionStorage.getItem(STORED) ?? '{}')
    return stored.user === user ? (stored.pages ?? []) : []
  } catch {
    return []
  }
}

/** Remembers that somebody went to a page. */
export function rememberPage(user: string, visited: Visited): void {
  sessionStorage.setItem(STORED, JSON.stringify({ user, pages: remembered(recentPages(user), visited) }))
}
