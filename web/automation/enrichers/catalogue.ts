import type { EnricherFunction } from './enricher-queries.ts'

/** A group of functions in the catalogue. */
export interface FunctionGroup {
  readonly title: string
  readonly description: string
  readonly functions: readonly EnricherFunction[]
}

const GROUPS = [
  {
    title: 'Tables',
    description: 'Look up observables in a file that you upload. Nothing leaves the platform.',
    has: ({ name }: EnricherFunction) => name.startsWith('table:'),
  },
  {
    title: 'Own definitions',
    description: 'Services that your organisation has described in JSON.',
    has: ({ is_own }: EnricherFunction) => is_own,
  },
  {
    title: 'Services',
    description: 'Send observables to an online service.',
    has: ({ name }: EnricherFunction) => name.startsWith('http:'),
  },
  {
    title: 'MISP modules',
    description: 'Expansion modules of your misp-modules server.',
    has: ({ name }: EnricherFunction) => name.startsWith('misp-module:'),
  },
  { title: 'Built-in', description: 'Functions of the platform.', has: () => true },
] as const

/** The functions that match a search text, by group; groups without any are left out. */
export function catalogueOf(functions: readonly EnricherFunction[], searched: string): readonly FunctionGroup[] {
  const words = searched.toLowerCase().split(/\s+/).filter(Boolean)
  const found = functions.filter((each) => words.every((word) => textOf(each).includes(word)))
  const grouped = Map.groupBy(found, (each) => GROUPS.find(({ has }) => has(each)))
  return GROUPS.flatMap((group) => {
    const members = grouped.get(group)
    return members ? [{ title: group.title, description: group.description, functions: members }] : []
  })
}

const textOf = ({ name, title, description, supported_types }: EnricherFunction): string =>
  [name, title, description, ...supported_types].join(' ').toLowerCase()
