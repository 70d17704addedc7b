import { v5 } from 'uuid'
import { attributeOf, namespaceOf, type XmlTag } from '../xml/xml-element.ts'

/** The namespace of generated ids, so that reading a document again generates the same ids. */
const ID_NAMESPACE = 'b5f7a6c0-7c1d-4d43-9a43-3c1f5f0f6a12'

/** Maximum length of an entity id in the platform. */
const ID_LIMIT = 500

/** Returns the id in an attribute, with its prefix replaced by the namespace. */
export function stixIdOf(tag: XmlTag, attribute: string): string | undefined {
  const value = attributeOf(tag, attribute)
  if (value === '') return undefined
  const id = detached(resolvedId(tag, value))
  return id.length > ID_LIMIT ? madeId('', 'long', id) : id
}

/** Copies a text. A substring of a document would keep the whole document in memory for as long as it is referenced. */
export const detached = (text: string): string => Buffer.from(text).toString()

/** A deterministic UUID for a list of words. */
export const madeUuid = (...words: readonly string[]): string => v5(words.join('\u0000'), ID_NAMESPACE)

/** A deterministic id for a list of words. */
export const madeId = (namespace: string, type: string, ...words: readonly string[]): string =>
  `${namespace === '' ? '' : `{${namespace}}`}${type}-${madeUuid(type, ...words)}`

/** The namespace of an id, or ''. */
export const namespaceOfId = (id: string | undefined): string => /^\{([^}]*)\}/.exec(id ?? '')?.[1] ?? ''

function resolvedId(tag: XmlTag, value: string): string {
  if (value.startsWith('{')) return value
  const colon = value.indexOf(':')
  const namespace = namespaceOf(tag.scope, colon < 0 ? '' : value.slice(0, colon))
  // Without a declaration, only the prefix is known.
  if (namespace === undefined || namespace === '') return value
  return `{${namespace}}${value.slice(colon + 1)}`
}
