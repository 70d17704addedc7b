import { isRecord } from '../../domain/record.ts'
import type { FoundObservable } from '../finding.ts'
import { OWN_TYPE } from './cyber-observables.ts'
import { makeObservable } from './make-observable.ts'
import { parsePattern } from './pattern.ts'

/** Maximum number of observables in one pattern. */
const OBSERVABLE_LIMIT = 1000

/** Creates a pattern that matches any of the observables; undefined if none of them can be compared. */
export function makePattern(observables: readonly Pick<FoundObservable, 'type' | 'value'>[]): string | undefined {
  const tests = observables.slice(0, OBSERVABLE_LIMIT).flatMap((observable) => testOf(observable) ?? [])
  const pattern = `[${tests.join(' OR ')}]`
  return 'fault' in parsePattern(pattern) ? undefined : pattern
}

function testOf(observable: Pick<FoundObservable, 'type' | 'value'>): string | undefined {
  const { type, id: _, spec_version: __, is_multipart: ___, extensions: ____, ...fields } = makeObservable(observable)
  const [[name = '', value] = []] = Object.entries(type === OWN_TYPE ? {} : fields)
  if (name === '') return undefined
  if (!isRecord(value)) return `${type}:${name} = ${literal(value)}`
  const [[inner = '', hash] = []] = Object.entries(value)
  return `${type}:${name}.${/^\w+$/.test(inner) ? inner : literal(inner)} = ${literal(hash)}`
}

const literal = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `'${String(value).replace(/[\\']/g, '\\$&')}'`
