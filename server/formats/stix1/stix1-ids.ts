import { v5 } from 'uuid'
import { attributeOf, namespaceOf, type XmlTag } from '../xml/xml-element.ts'

/** What ids that a document leaves out are made under, so that reading it again makes the same ones. */
const MADE_IN = 'b5f7a6c0-7c1d-4d43-9a43-3c1f5f0f6a12'

/** An entity id that is longer is not taken by the platform. */
const LONGEST_ID = 500

/** The id that an attribute holds, with its prefix replaced by the namespace that the prefix stands for. */
export function stixIdOf(tag: XmlTag, attribute: string): string | undefined {
  const value = attributeOf(tag, attribute)
  if (value === '') return undefined
  const id = detached(resolvedId(tag, value))
  return id.length > LONGEST_ID ? madeId('', 'long', id) : id
}

/** A text that stands on its own: a piece of a document would keep all of the document in memory for as long as it is held. */
export const detached = (text: string): string => Buffer.from(text).toString()

/** A UUID that is always the same for the same words. */
export const madeUuid = (...words: readonly string[]): string => v5(words.join('\u0000'), MADE_IN)

/** An id that is always the same for the same words. */
export const madeId = (namespace: string, type: string, ...words: readonly string[]): string =>
  `${namespace === '' ? '' : `{${namespace}}`}${type}-${madeUuid(type, ...words)}`

/** The namespace of an id, or ''. */
export const namespaceOfId = (id: string | undefined): string => /^\{([^}]*)\}/.exec(id ?? '')?.[1] ?? ''

function resolvedId(tag: XmlTag, value: string): string {
  if (value.startsWith('{')) return value
  const colon = value.indexOf(':')
  const namespace = namespaceOf(tag.scope, colon < 0 ? '' : value.slice(0, colon))
  // Without a declaration the prefix is all there is.
  if (namespace === undefined || namespace === '') return value
  return `{${namespace}}${value.slice(colon + 1)}`
}
