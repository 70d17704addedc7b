/** The pages about attack frameworks, in the order of their tabs. */
export const ATTACK_SECTIONS = [
  { to: '/attack', label: 'Matrix', isScoped: true },
  { to: '/attack/gaps', label: 'Gaps', isScoped: true },
  { to: '/attack/analyses', label: 'Analyses', isScoped: false },
  { to: '/attack/defenses', label: 'Defenses', isScoped: false },
  { to: '/attack/log-sources', label: 'Log sources', isScoped: false },
  { to: '/attack/frameworks', label: 'Frameworks', isScoped: false },
  { to: '/attack/reviews', label: 'Reviews', isScoped: false },
] as const

/** The query parameters that choose what the matrix and the gaps cover; both pages understand them. */
const SCOPE = ['matrix', 'analysis', 'dataset', 'entities', 'query', 'relations'] as const

/** The section that a path belongs to, such as Analyses for the page of an analysis. */
export const sectionAt = (path: string) =>
  ATTACK_SECTIONS.filter(({ to }) => path === to || path.startsWith(`${to}/`)).toSorted(
    (a, b) => b.to.length - a.to.length,
  )[0]

/** The query parameters to keep between the pages that cover the same. */
export const scopeOf = (search: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(SCOPE.flatMap((name) => (name in search ? [[name, search[name]]] : [])))
