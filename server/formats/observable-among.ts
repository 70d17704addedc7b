import { guessType } from '../domain/observables/guess.ts'
import { observableOf } from '../domain/observables/read.ts'
import type { ObservableType } from '../domain/observables/types.ts'

/** The observable types that others call an IP address. */
export const IP_TYPES = ['ipv4', 'ipv6', 'ipv4-cidr', 'ipv6-cidr', 'inetnum'] as const satisfies ObservableType[]

type Found = { readonly type: ObservableType; readonly value: string } | { readonly fault: string }

/** Normalises a text as an observable of one of these types, or of the type that it looks like if the list is empty. */
export function observableAmong(types: readonly ObservableType[], text: string): Found {
  const [only] = types
  if (types.length === 1) return readAs(only, text)
  const guess = guessType(text)
  if (guess !== undefined && (types.length === 0 || types.includes(guess))) return readAs(guess, text)
  for (const type of types) {
    // Any word is a valid vhash, so it would match whatever the other types reject.
    if (type === 'hash-vhash') continue
    const found = readAs(type, text)
    if ('value' in found) return found
  }
  return { fault: types.length === 0 ? 'does not look like any observable type' : `is none of ${types.join(', ')}` }
}

function readAs(type: ObservableType | undefined, text: string): Found {
  const found = observableOf(type, text)
  return 'fault' in found ? { fault: found.fault } : found
}
