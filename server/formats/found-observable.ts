import { observableOf } from '../domain/observables/read.ts'
import { textFrom } from '../domain/text-from.ts'
import type { FoundObservable } from './finding.ts'
import type { Maliciousness } from './maliciousness.ts'

/** Normalises an observable, or returns why it is invalid. */
export function foundObservable(
  type: unknown,
  value: unknown,
  said: { readonly maliciousness?: Maliciousness | undefined; readonly link_type?: string | null | undefined } = {},
): FoundObservable | { readonly fault: string } {
  const found = observableOf(type, value)
  if ('fault' in found) return { fault: `observable ${described(type, value)}: ${found.field} ${found.fault}` }
  return {
    ...found,
    ...(said.maliciousness ? { maliciousness: said.maliciousness } : {}),
    ...(said.link_type ? { link_type: said.link_type } : {}),
  }
}

const described = (type: unknown, value: unknown): string =>
  `'${textFrom(type).slice(0, 40)}' '${textFrom(value).slice(0, 80)}'`
