import { NAMESPACES } from '../namespaces.ts'
import { madeUuid } from '../stix1-ids.ts'

/** The prefix and the namespace of the producer's ids. */
export interface Producer {
  readonly prefix: string
  readonly namespace: string
}

/** Writes ids as qualified names, and tracks the prefixes that a component must declare for them. */
export interface Naming {
  /** Returns the name for an id. `type` is used for ids that cannot be written as names. */
  qualify(id: string, type: string): string
  /** Returns the name for an id in a record; undefined if it cannot be written as a name. */
  optional(id: unknown): string | undefined
  /** Returns a deterministic name in the producer's namespace. */
  made(type: string, ...words: readonly string[]): string
  readonly declarations: Readonly<Record<string, string>>
}

const ID = /^(?:\{([^{}\s"<>&]+)\})?([A-Za-z_][A-Za-z\d._-]*)$/
const RESERVED = new Set(['http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/'])

/** The producer of a document, with a prefix that does not clash with others. */
export function producerOf(alias: string, namespace: string): Producer {
  const isGood = /^[A-Za-z_][A-Za-z\d._-]*$/.test(alias) && !/^xml/i.test(alias) && !Object.hasOwn(NAMESPACES, alias)
  return { prefix: isGood && !/^ns\d+$/.test(alias) ? alias : 'producer', namespace: namespace || 'urn:unknown' }
}

/** Whether an id can be written unchanged. */
export function isWritable(id: string): boolean {
  const [, namespace = ''] = ID.exec(id) ?? []
  return ID.test(id) && !RESERVED.has(namespace)
}

/** Starts naming the contents of a component. */
export function namingOf(producer: Producer): Naming {
  const declarations: Record<string, string> = {}
  const prefixes = new Map([[producer.namespace, producer.prefix]])
  const prefixOf = (namespace: string): string => {
    const known = prefixes.get(namespace)
    if (known !== undefined) return known
    const prefix = `ns${prefixes.size}`
    prefixes.set(namespace, prefix)
    declarations[`xmlns:${prefix}`] = namespace
    return prefix
  }
  const written = (id: string): string => {
    const [, namespace, name = ''] = ID.exec(id) ?? []
    return namespace === undefined ? name : `${prefixOf(namespace)}:${name}`
  }
  const made = (type: string, ...words: readonly string[]) => `${producer.prefix}:${type}-${madeUuid(type, ...words)}`
  return {
    qualify: (id, type) => (isWritable(id) ? written(id) : made(type, id)),
    optional: (id) => (typeof id === 'string' && isWritable(id) ? written(id) : undefined),
    made,
    declarations,
  }
}
