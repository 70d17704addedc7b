import { parse } from 'tldts'

/** Top-level domains of alternative networks that no registry knows. */
const OTHER_ROOTS = new Set(['bazar', 'bit', 'coin', 'emc', 'eth', 'example', 'i2p', 'lib', 'loki', 'onion', 'test'])

const INTERNAL = new Set(['corp', 'home', 'internal', 'intranet', 'lan', 'local', 'localdomain', 'private'])

/** What the end of a name reveals. */
export interface Suffix {
  /** Whether the name can be registered: it has a public suffix and a label before it. */
  readonly isPublic: boolean
  /** The registered domain, such as example.co.uk; '' if there is none. */
  readonly registered: string
  /** The public suffix, such as co.uk. */
  readonly suffix: string
}

/** Looks up a lower-case name in the public suffix list. */
export function suffixOf(name: string): Suffix {
  const found = parse(name, { extractHostname: false, validateHostname: false, detectIp: false })
  const isPublic = found.isIcann === true && found.domain !== null
  return { isPublic, registered: found.domain ?? '', suffix: found.publicSuffix ?? '' }
}

const lastLabel = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Whether a name ends like one in an alternative network. This is reliable only if the context shows that it is a name. */
export const isOfOtherRoot = (name: string): boolean => OTHER_ROOTS.has(lastLabel(name))

/** Whether a name ends like those of internal hosts. */
export const isInternal = (name: string): boolean => INTERNAL.has(lastLabel(name))
