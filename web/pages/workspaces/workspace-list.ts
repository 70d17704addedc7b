import type { Parameters } from '../../api/lists.ts'
import type { Workspace } from '../../api/resources.ts'

/** The types of workspaces as people read them. */
export const TYPES = [
  { value: 'generic', label: 'Generic' },
  { value: 'case', label: 'Case' },
  { value: 'threat-model', label: 'Threat model' },
  { value: 'analysis', label: 'Analysis' },
] as const satisfies readonly { value: Workspace['type']; label: string }[]

/** What a type is called. */
export const typeName = (type: string): string => TYPES.find(({ value }) => value === type)?.label ?? type

/** The request for workspaces: those that are worked in unless one asks for the archive. */
export function workspaceParameters(status: string, type: string): Parameters {
  return {
    ...(status !== 'all' && { 'filter[status]': status === 'closed' ? 'closed' : 'open' }),
    ...(type !== '' && { 'filter[type]': type }),
    sort: 'name',
    limit: 60,
  }
}

/** What is in a workspace, in numbers and words; what is not there is left out. */
export function contentsOf(
  workspace: Pick<Workspace, 'tickets' | 'datasets' | 'entities' | 'files'>,
): readonly string[] {
  const { tickets, datasets, entities, files } = workspace
  const counted: readonly (readonly [number, string, string])[] = [
    [tickets.length, 'ticket', 'tickets'],
    [datasets.length, 'dataset', 'datasets'],
    [entities.length, 'entity', 'entities'],
    [files.length, 'file', 'files'],
  ]
  return counted.flatMap(([count, one, many]) =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? one : many}`],
  )
}
