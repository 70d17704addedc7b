import { childOf, childrenOf, textOf, type XmlAttribute, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { append } from './json.ts'

/** The elements and attributes of a component that have been read. An element includes everything inside it. */
export type Taken = Set<XmlElement | XmlAttribute>

/** A part of a component that no field holds. */
export interface Leftover {
  readonly path: string
  readonly xml: string
}

/** Returns the text of a child element and marks it as read; undefined if there is none. */
export function takeText(parent: XmlElement | undefined, name: string, taken: Taken): string | undefined {
  const element = childOf(parent, name)
  if (!element) return undefined
  taken.add(element)
  return textOf(element) || undefined
}

/** Returns the texts of all child elements with one name and marks them as read. */
export function takeTexts(parent: XmlElement | undefined, name: string, taken: Taken): string[] {
  const elements = parent ? childrenOf(parent, name) : []
  for (const element of elements) taken.add(element)
  return elements.map(textOf).filter((text) => text !== '')
}

/** Returns the value of an attribute and marks it as read; undefined if there is none. */
export function takeAttribute(element: XmlElement, name: string, taken: Taken): string | undefined {
  const attribute = element.attributes.find((one) => one.name === name && one.uri === '')
  if (!attribute) return undefined
  taken.add(attribute)
  return attribute.value.trim() || undefined
}

/** Returns the parts of a component that have not been read, in pieces as large as possible. */
export function leftoversOf(component: XmlElement, taken: Taken): Leftover[] {
  return unreadParts(component, '', taken).pieces
}

/** Attributes without information of their own, or that are read with their element. */
const IGNORED_ATTRIBUTES = new Set(['id', 'idref', 'timestamp', 'version', 'scope'])

function unreadParts(element: XmlElement, path: string, taken: Taken): { isUntouched: boolean; pieces: Leftover[] } {
  const pieces: Leftover[] = []
  let isUntouched = true
  for (const attribute of element.attributes) {
    if (taken.has(attribute)) isUntouched = false
    else if (attribute.uri === '' && !IGNORED_ATTRIBUTES.has(attribute.name))
      pieces.push({ path: `${path}@${attribute.name}`, xml: attribute.value })
  }
  for (const child of childrenOf(element)) {
    if (taken.has(child)) {
      isUntouched = false
      continue
    }
    const inside = `${path}${child.name}`
    const rest = unreadParts(child, `${inside}/`, taken)
    if (!rest.isUntouched) {
      isUntouched = false
      append(pieces, rest.pieces)
    } else if (!isEmpty(child)) pieces.push({ path: inside, xml: xmlText(child) })
  }
  return { isUntouched, pieces }
}

const isEmpty = (element: XmlElement): boolean =>
  textOf(element) === '' &&
  element.attributes.every(({ uri, name }) => uri !== '' || IGNORED_ATTRIBUTES.has(name)) &&
  childrenOf(element).every(isEmpty)
