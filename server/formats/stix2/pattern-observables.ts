import { guessType } from '../../domain/observables/guess.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import { type Named, namedBy, observablesOf } from './cyber-observables.ts'
import { type Comparison, parsePattern } from './pattern.ts'

/** The observable types that a property of a referenced object can name if the pattern does not state the type of that object. */
const ENDS: Readonly<Record<string, readonly ObservableType[]>> = {
  value: ['ipv4', 'ipv4-cidr', 'ipv6', 'ipv6-cidr', 'mac-48', 'email', 'domain', 'uri'],
  path: ['file'],
  name: ['file'],
  account_login: ['user-account'],
  imphash: ['hash-imphash'],
  'User-Agent': ['user-agent'],
}

/** Pattern languages in which a whole pattern is one observable. */
const RULES: ReadonlyMap<unknown, ObservableType> = new Map([
  ['snort', 'snort'],
  ['yara', 'yara'],
  ['sigma', 'rule'],
  ['suricata', 'rule'],
])

/** Returns the observables in an indicator's pattern, or a loss if the pattern cannot be parsed. */
export function observablesInPattern(pattern: string, patternType: unknown): Named {
  const rule = RULES.get(patternType)
  if (rule) return namedBy([[rule, pattern]])
  if (patternType !== 'stix' && patternType !== undefined) return { observables: [], losses: [] }
  const parsed = parsePattern(pattern)
  if ('fault' in parsed) return { observables: [], losses: [`pattern: ${parsed.fault}; it is kept unchanged`] }
  const named = parsed.comparisons.flatMap((comparison) => comparison.values.map((value) => namedIn(comparison, value)))
  return {
    observables: named.flatMap(({ observables }) => observables),
    losses: named.flatMap(({ losses }) => losses),
  }
}

function namedIn({ objectType, path }: Comparison, value: string): Named {
  const [first = '', second, ...more] = path.filter((step) => step !== '*' && !/^\d+$/.test(step))
  if (second === undefined && first !== 'hashes') return observablesOf({ type: objectType, [first]: value })
  if (first === 'hashes' && more.length === 0) {
    if (second !== undefined) return observablesOf({ type: objectType, hashes: { [second]: value } })
    // Any hash algorithm: the number of digits identifies it.
    const type = guessType(value)
    return type?.startsWith('hash-') ? namedBy([[type, value]]) : { observables: [], losses: [] }
  }
  const last = more.at(-1) ?? second ?? ''
  const types = Object.hasOwn(ENDS, last) ? ENDS[last] : undefined
  return types ? namedBy([[types, value]]) : { observables: [], losses: [] }
}
