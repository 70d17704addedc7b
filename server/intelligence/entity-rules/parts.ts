import { isDeepStrictEqual } from 'node:util'
import type { Item } from '../../engine/context.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import type { StoredMeta } from '../entities/state.ts'
import { EVERYTHING } from './criteria/query-fields.ts'
import { PART, type Rule } from './rule.ts'

interface Compared {
  readonly vis: number
  readonly data: Item
  readonly meta: StoredMeta
}

/** The parts in which two states of an entity differ, by the names that criteria read. */
export function partsChanged(before: Compared, after: Compared): Set<string> {
  return new Set([
    ...changedIn('data', before.data, after.data),
    ...changedIn('meta', before.meta as Item, after.meta as Item),
    ...(sourceOf(before.vis) === sourceOf(after.vis) ? [] : [PART.source]),
  ])
}

const changedIn = (document: string, before: Item, after: Item): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => `${document}.${name}`)

/** Whether the criteria of a rule read one of these parts. */
export const readsAny = ({ reads }: Rule, changed: ReadonlySet<string>): boolean =>
  changed.size > 0 && (reads.has(EVERYTHING) || [...changed].some((part) => reads.has(part)))
