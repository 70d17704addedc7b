import type { Parameters } from '../../api/lists.ts'
import type { Workspace } from '../../api/resources.ts'

/** Display names of the workspace types. */
export const TYPES = [
  { value: 'generic', label: 'Generic' },
  { value: 'case', label: 'Case' },
  { value: 'threat-model', label: 'Threat model' },
  { value: 'analysis', label: 'Analysis' },
] as const satisfies readonly { value: Workspace['type']; label: string }[]

/** The display name of a type. */
export const typeName = (type: string): string => TYPES.find(({ value }) => value === type)?.label ?? type

/** The query parameters for workspaces, by default only open ones. */
export function workspaceParameters(status: string, type: string): Parameters {
  return {
    ...(status !== 'all' && { 'filter[status]': status === 'closed' ? 'closed' : 'open' }),
    ...(type !== '' && { 'filter[type]': type }),
    sort: 'name',
    limit: 60,
  }
}

/** The number of objects in a workspace by kind; zero counts are omitted. */
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
