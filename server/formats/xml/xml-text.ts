import { escapeAttribute, escapeText } from './write-xml.ts'
import { namespaceOf, type XmlElement, type XmlTag } from './xml-element.ts'

/** Serialises an element as standalone XML, with the namespaces that its names and attribute values need. */
export function xmlText(element: XmlElement): string {
  const prefixes = new Map<string, string>()
  collectPrefixes(element, prefixes)
  const parts: string[] = []
  writeElement(element, prefixes, parts)
  return parts.join('')
}

/** A prefix may have another meaning in nested elements, so an element declares its own if it differs from the first meaning. */
function collectPrefixes(element: XmlElement, prefixes: Map<string, string>): void {
  for (const [prefix, uri] of usedBy(element)) if (!prefixes.has(prefix)) prefixes.set(prefix, uri)
  for (const item of element.content) if (typeof item !== 'string') collectPrefixes(item, prefixes)
}

function usedBy(tag: XmlTag): [string, string][] {
  const used: [string, string][] = [[tag.prefix, tag.uri]]
  for (const { prefix, uri, value } of tag.attributes) {
    if (prefix !== '' && prefix !== 'xml') used.push([prefix, uri])
    const inValue = /^([\w.-]{1,64}):[^/\s]/.exec(value)?.[1]
    const meaning = inValue === undefined ? undefined : namespaceOf(tag.scope, inValue)
    if (inValue !== undefined && meaning !== undefined) used.push([inValue, meaning])
  }
  return used
}

function writeElement(element: XmlElement, around: ReadonlyMap<string, string>, parts: string[]): void {
  const isRoot = parts.length === 0
  const own = new Map(isRoot ? around : usedBy(element).filter(([prefix, uri]) => around.get(prefix) !== uri))
  const scope = isRoot || own.size === 0 ? around : new Map([...around, ...own])
  const name = qualified(element.prefix, element.name)
  parts.push('<', name)
  for (const [prefix, uri] of own) {
    if (prefix === '' && uri === '' && isRoot) continue
    parts.push(prefix === '' ? ' xmlns="' : ` xmlns:${prefix}="`, escapeAttribute(uri), '"')
  }
  for (const { prefix, name: local, value } of element.attributes)
    parts.push(' ', qualified(prefix, local), '="', escapeAttribute(value), '"')
  if (element.content.length === 0) {
    parts.push('/>')
    return
  }
  parts.push('>')
  for (const item of element.content) {
    if (typeof item === 'string') parts.push(escapeText(item))
    else writeElement(item, scope, parts)
  }
  parts.push('</', name, '>')
}

const qualified = (prefix: string, name: string): string => (prefix === '' ? name : `${prefix}:${name}`)
