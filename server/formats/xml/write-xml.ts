/** An element to write: its qualified name, attributes and contents. */
export interface XmlNode {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly content: readonly (XmlNode | string)[]
}

/** The contents of an element. Nothing is written for undefined and for empty lists. */
export type XmlContent = XmlNode | string | undefined | readonly XmlContent[]

/** Creates an element. */
export const xml = (
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...content: readonly XmlContent[]
): XmlNode => ({ name, attributes, content: flatten(content) })

/** Creates an element unless it would be empty, which schemas rarely allow. */
export function xmlUnlessEmpty(name: string, ...content: readonly XmlContent[]): XmlNode | undefined {
  const flat = flatten(content)
  return flat.length === 0 ? undefined : { name, attributes: {}, content: flat }
}

/** Serialises an element. Characters that XML 1.0 cannot represent are omitted, and `onLeftOut` is called. */
export function renderXml(node: XmlNode, onLeftOut: () => void = () => {}): string {
  const parts: string[] = []
  render(node, parts, (text) => {
    if (!UNWRITABLE.test(text)) return text
    onLeftOut()
    return text.replaceAll(ALL_UNWRITABLE, '')
  })
  return parts.join('')
}

/** Escapes a text for use between tags. */
export const escapeText = (text: string): string =>
  /[&<>\r]/.test(text) ? text.replaceAll(/[&<>\r]/g, (character) => ESCAPES[character] ?? character) : text

/** Escapes a text for use in an attribute. */
export const escapeAttribute = (text: string): string =>
  /[&<>"\r\n\t]/.test(text) ? text.replaceAll(/[&<>"\r\n\t]/g, (character) => ESCAPES[character] ?? character) : text

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** Characters that XML 1.0 does not allow: most controls, lone surrogates, and two noncharacters. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const ALL_UNWRITABLE = new RegExp(UNWRITABLE, 'gu')

function render(node: XmlNode, parts: string[], writable: (text: string) => string): void {
  parts.push('<', node.name)
  for (const [name, value] of Object.entries(node.attributes))
    if (value !== undefined) parts.push(' ', name, '="', escapeAttribute(writable(value)), '"')
  if (node.content.length === 0) {
    parts.push('/>')
    return
  }
  parts.push('>')
  for (const item of node.content) {
    if (typeof item === 'string') parts.push(escapeText(writable(item)))
    else render(item, parts, writable)
  }
  parts.push('</', node.name, '>')
}

function flatten(content: readonly XmlContent[]): (XmlNode | string)[] {
  const flat: (XmlNode | string)[] = []
  for (const item of content) {
    if (item === undefined || item === '') continue
    if (isList(item)) for (const inner of flatten(item)) flat.push(inner)
    else flat.push(item)
  }
  return flat
}

const isList = (item: Exclude<XmlContent, undefined>): item is readonly XmlContent[] => Array.isArray(item)
