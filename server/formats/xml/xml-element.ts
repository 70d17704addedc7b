/** The namespaces that are declared around an element, from the inside out. */
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

/** The start tag of an element, and where it stands. */
export interface XmlTag {
  readonly prefix: string
  readonly uri: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  readonly scope: Scope
  readonly line: number
}

/** An element with all that is in it, in order. */
export interface XmlElement extends XmlTag {
  readonly content: readonly (XmlElement | string)[]
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

/** The elements directly inside, of one name or of any; namespaces are left aside, for documents get them wrong. */
export const childrenOf = (element: XmlElement, name?: string): XmlElement[] =>
  element.content.filter(
    (item): item is XmlElement => typeof item !== 'string' && (name === undefined || item.name === name),
  )

/** The first element directly inside that has this name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const item of element?.content ?? []) if (typeof item !== 'string' && item.name === name) return item
  return undefined
}

/** All the text inside an element, without white space at its ends. */
export function textOf(element: XmlElement | undefined): string {
  if (!element) return ''
  const parts: string[] = []
  collectText(element, parts)
  return parts.join('').trim()
}

/** An attribute without a prefix, or '' where there is none. */
export const attributeOf = (tag: XmlTag | undefined, name: string): string =>
  tag?.attributes.find((attribute) => attribute.name === name && attribute.uri === '')?.value.trim() ?? ''

/** What a prefix stands for at a place; '' is the default namespace. */
export function namespaceOf(scope: Scope | undefined, prefix: string): string | undefined {
  for (let at = scope; at; at = at.outer) {
    const uri = at.declared.get(prefix)
    if (uri !== undefined) return uri
  }
  return undefined
}

/** The local name of the type that an element says it has by `xsi:type`, or ''. */
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
