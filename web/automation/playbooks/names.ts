import { type NamedCollection, useNames } from '../../api/names.ts'
import { useNodeNames } from '../../attack/node-names.ts'
import { useTaxonomyPaths } from '../../intelligence/taxonomies/taxonomy-paths.ts'
import type { Step } from './playbook.ts'
import { inputValue, inputValues, nameOfInput } from './references.ts'

/** Collections whose objects steps refer to and that are chosen by name. */
export const CHOSEN_BY_NAME = [
  'enrichers',
  'detonators',
  'datasets',
  'workspaces',
  'users',
] as const satisfies readonly NamedCollection[]

/** The names of the objects that steps refer to. */
export interface Names {
  /** The names of a collection, by id; empty if it has none or they are not readable. */
  of(collection: string): ReadonlyMap<string, string>
  /** The names of some references; what is not readable is named by its collection. */
  list(collection: string, values: unknown): readonly string[]
}

const NONE: ReadonlyMap<string, string> = new Map()

const UNKNOWN: Readonly<Record<string, string>> = {
  enrichers: 'an enricher',
  detonators: 'a sandbox',
  datasets: 'a dataset',
  workspaces: 'a workspace',
  users: 'a user',
  taxonomies: 'a taxonomy',
  entities: 'a report',
}

/** The attack nodes that steps refer to. There are too many of them to read all. */
const nodesIn = (steps: readonly Pick<Step, 'kind'>[]): readonly string[] =>
  steps.flatMap((step: { readonly [parameter: string]: unknown }) => [
    ...inputValues(step.added_attacks),
    ...inputValues(step.removed_attacks),
  ])

/** The names of all objects that steps can refer to, and of the attack nodes of these ones, as far as the user may read them. */
export function useReferenceNames(steps: readonly Pick<Step, 'kind'>[] = []): Names {
  const attacks = useNodeNames(nodesIn(steps))
  const enrichers = useNames('enrichers')
  const detonators = useNames('detonators')
  const datasets = useNames('datasets')
  const workspaces = useNames('workspaces')
  const users = useNames('users')
  const taxonomies = useTaxonomyPaths()
  const known: Readonly<Record<string, ReadonlyMap<string, string>>> = {
    enrichers,
    detonators,
    datasets,
    workspaces,
    users,
    taxonomies,
    attacks,
  }
  return namesFrom((collection) => known[collection] ?? NONE)
}

/** Names from a function that gives those of a collection. */
export const namesFrom = (of: Names['of']): Names => ({
  of,
  list: (collection, values) =>
    (Array.isArray(values) ? values : values === null || values === undefined ? [] : [values]).map((value) => {
      const input = inputValue(value)
      return (
        nameOfInput(input) ??
        of(collection).get(input) ??
        (collection === 'attacks' ? input : UNKNOWN[collection]) ??
        input
      )
    }),
})
