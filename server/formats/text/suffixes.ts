import { parse } from 'tldts'

/** Names in networks of their own, which no registry knows. */
const OTHER_ROOTS = new Set(['bazar', 'bit', 'coin', 'emc', 'eth', 'example', 'i2p', 'lib', 'loki', 'onion', 'test'])

const INTERNAL = new Set(['corp', 'home', 'internal', 'intranet', 'lan', 'local', 'localdomain', 'private'])

/** What is known of a name by its end. */
export interface Suffix {
  /** Whether anybody can own such a name: its end is in the list of public suffixes, and something stands before it. */
  readonly isPublic: boolean
  /** The part that was registered, such as example.co.uk; '' where there is none. */
  readonly registered: string
  /** The public suffix, such as co.uk. */
  readonly suffix: string
}

/** What the list of public suffixes says of a name in lower case. */
export function suffixOf(name: string): Suffix {
  const found = parse(name, { extractHostname: false, validateHostname: false, detectIp: false })
  const isPublic = found.isIcann === true && found.domain !== null
  return { isPublic, registered: found.domain ?? '', suffix: found.publicSuffix ?? '' }
}

const lastLabel = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Whether a name ends like one of a network of its own; good only where something else shows that it is a name. */
export const isOfOtherRoot = (name: string): boolean => OTHER_ROOTS.has(lastLabel(name))

/** Whether a name ends like those that organisations give to machines of their own. */
export const isInternal = (name: string): boolean => INTERNAL.has(lastLabel(name))
