/** The namespaces declared around an element, from the inside out. */
export interface Scope {
  readonly declared: ReadonlyMap<string, string>
  readonly outer: Scope | undefined
}

/** An attribute; `uri` is '' for those without a prefix. */
export interface XmlAttribute {
  readonly prefix: string
  readonly uri: string
  readonly name: string
  readonly value: string
}

/** The start tag of an element and its position. */
export interface XmlTag {
  readonly prefix: string
  readonly uri: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  readonly scope: Scope
  readonly line: number
}

/** An element with all its contents, in order. */
export interface XmlElement extends XmlTag {
  readonly content: readonly (XmlElement | string)[]
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

/** Returns the child elements, optionally with one name. Namespaces are ignored, because documents get them wrong. */
export const childrenOf = (element: XmlElement, name?: string): XmlElement[] =>
  element.content.filter(
    (item): item is XmlElement => typeof item !== 'string' && (name === undefined || item.name === name),
  )

/** Returns the first child element with this name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const item of element?.content ?? []) if (typeof item !== 'string' && item.name === name) return item
  return undefined
}

/** Returns the text of an element at any depth, trimmed. */
export function textOf(element: XmlElement | undefined): string {
  if (!element) return ''
  const parts: string[] = []
  collectText(element, parts)
  return parts.join('').trim()
}

/** Returns an attribute without a prefix; '' if there is none. */
export const attributeOf = (tag: XmlTag | undefined, name: string): string =>
  tag?.attributes.find((attribute) => attribute.name === name && attribute.uri === '')?.value.trim() ?? ''

/** Resolves a prefix; '' is the default namespace. */
export function namespaceOf(scope: Scope | undefined, prefix: string): string | undefined {
  for (let at = scope; at; at = at.outer) {
    const uri = at.declared.get(prefix)
    if (uri !== undefined) return uri
  }
  return undefined
}

/** Returns the local name of the `xsi:type` of an element, or ''. */
export function typeNameOf(tag: XmlTag): string {
  const type =
    tag.attributes.find((attribute) => attribute.uri === XSI && attribute.name === 'type')?.value.trim() ?? ''
  return type.slice(type.indexOf(':') + 1)
}

function collectText(element: XmlElement, parts: string[]): void {
  for (const item of element.content) {
    if (typeof item === 'string') parts.push(item)
    else collectText(item, parts)
  }
}
