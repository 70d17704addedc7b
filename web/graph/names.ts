import { entityTypeName } from '../domain/entity-types.ts'
import { observableTypeName } from '../domain/observables.ts'
import type { GraphNode, Group } from './model.ts'

/** The plural of a noun. */
export function plural(name: string): string {
  if (/ of /.test(name)) return name.replace(/^(.*?) of /, (_, first) => `${plural(first)} of `)
  if (/(s|x|z|ch|sh)$/.test(name)) return `${name}es`
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(malware|infrastructure)$/i.test(name) ? name : `${name}s`
}

/** A number with thousands separators. */
export const counted = (count: number): string => count.toLocaleString('en')

/** A count with its noun, such as `312 domains`. */
export const manyOf = (count: number, name: string): string => `${counted(count)} ${count === 1 ? name : plural(name)}`

const typeOfGroup = ({ kind, type }: Pick<Group, 'kind' | 'type'>): string =>
  kind === 'observable' ? observableTypeName(type) : lower(entityTypeName(type))

const lower = (name: string): string => (/^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1))

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** The name of a group without its count: `Domains`, `uses → malware`. */
export function groupName(group: Group): string {
  if (group.kind === 'observable') return upper(plural(observableTypeName(group.type)))
  const types = plural(typeOfGroup(group))
  if (group.kind === 'holder') return `In ${types}`
  const key = group.key || 'related'
  return group.direction === 'out' ? `${key} → ${types}` : `${types} → ${key}`
}

/** The number of members of a group that are not shown: `+312 domains`. */
export const aggregateName = (group: Group, remaining: number): string => `+${manyOf(remaining, typeOfGroup(group))}`

/** The kind and type of a node in one key, for filters and colours. */
export function typeOf(node: GraphNode): string {
  if (node.kind !== 'aggregate') return `${node.kind}:${node.type}`
  return `${node.group.kind === 'observable' ? 'observable' : 'entity'}:${node.group.type}`
}

/** The display name of such a key. */
export function typeName(type: string): string {
  const name = type.slice(type.indexOf(':') + 1)
  return type.startsWith('observable:') ? upper(observableTypeName(name)) : entityTypeName(name)
}
