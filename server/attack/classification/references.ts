import { textFrom } from '../../domain/text-from.ts'
import type { Node, Nodes } from './nodes.ts'

/** The form of the id of an attack node: a matrix, a tactic, or a technique below its tactic. */
const ATTACK = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]|:(?=T)){0,63}$/

/** The id of an attack node from an id, a URL or a path; undefined for anything else. */
export function attackOf(value: unknown): string | undefined {
  const text = textFrom(value)
  const id = /(?:^|\/)(?:api\/v\d+|private)\/attacks\/([^/?#]+)\/?(?:\?.*)?$/.exec(text)?.[1] ?? text
  const plain = id.replaceAll(/%3a/gi, ':')
  return ATTACK.test(plain) ? plain : undefined
}

/** What is wrong with a value that has not the form of an id. */
export const notAnAttack = (value: unknown): string =>
  `'${textFrom(value).slice(0, 80)}' is not the id or URL of an attack node`

/** What is wrong with an id of the right form; undefined if there is such a node, live or dead. */
export function faultOf(nodes: Nodes, id: string): string | undefined {
  if (nodes.get(id)) return undefined
  const places = nodes.placesOf(id)
  if (places.length === 0) return `there is no attack node '${id}'`
  const live = places.filter(isLive)
  const ids = (live.length > 0 ? live : places).map((node) => node.id)
  return `'${id}' is a technique without its tactic. Use ${listed(ids)}`
}

/** Whether a node is part of the version that is loaded. */
export const isLive = ({ state }: Node): boolean => state === 'live'

/** Ids in a sentence. */
export const listed = (ids: readonly string[], conjunction: 'or' | 'and' = 'or'): string =>
  ids.length < 2 ? ids.join('') : `${ids.slice(0, -1).join(', ')} ${conjunction} ${ids.at(-1)}`
