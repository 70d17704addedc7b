import { SaxesParser, type SaxesTagNS } from 'saxes'
import { type Document, DocumentError } from '../document.ts'
import { decodeXml } from './decode-xml.ts'
import type { Scope, XmlAttribute, XmlElement, XmlTag } from './xml-element.ts'

/** An event while reading: a container starts or ends, or an element with all its contents. */
export type XmlEvent =
  | { readonly kind: 'open'; readonly tag: XmlTag }
  | { readonly kind: 'close' }
  | { readonly kind: 'element'; readonly element: XmlElement }

/** Whether to enter an element instead of returning it as a whole. `outer` are the enclosing containers, starting with the root. */
export type IsContainer = (tag: XmlTag, outer: readonly XmlTag[]) => boolean

/** No real threat intelligence document comes near these limits. Larger ones are assumed to be malicious. */
export const XML_LIMITS = {
  depth: 256,
  /** Characters without a start or end tag: one text, comment or tag. */
  run: 32 * 1024 * 1024,
  /** Elements in one that is returned as a whole. */
  elements: 500_000,
}

/**
 * Reads a document element by element, so that memory depends on the largest returned element rather than on the document. Document type
 * definitions are rejected, only the five predefined entities are supported, and nothing is fetched.
 */
export async function* readXml(document: Document, isContainer: IsContainer): AsyncGenerator<XmlEvent> {
  const events: XmlEvent[] = []
  const parser = new SaxesParser({ xmlns: true, position: true })
  const build = builderOf(parser, isContainer, events)
  let run = 0
  for await (const text of decodeXml(document)) {
    const before = build.tags
    parse(() => parser.write(text))
    run = build.tags === before ? run + text.length : 0
    if (run > XML_LIMITS.run)
      throw new DocumentError(`line ${parser.line}: a text or tag exceeds ${XML_LIMITS.run} characters`)
    yield* events.splice(0)
  }
  parse(() => parser.close())
  yield* events.splice(0)
}

interface Open {
  readonly prefix: string
  readonly uri: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  readonly scope: Scope
  readonly line: number
  readonly content: (XmlElement | string)[]
}

const NO_SCOPE: Scope = { declared: new Map(), outer: undefined }

function builderOf(
  parser: SaxesParser<{ xmlns: true; position: true }>,
  isContainer: IsContainer,
  events: XmlEvent[],
): { readonly tags: number } {
  const containers: Open[] = []
  const inside: Open[] = []
  const state = { tags: 0, elements: 0 }

  parser.on('doctype', () => {
    throw new DocumentError(`line ${parser.line}: document type definitions (DOCTYPE) are not supported`)
  })
  parser.on('opentag', (saxesTag) => {
    state.tags++
    if (containers.length + inside.length >= XML_LIMITS.depth)
      throw new DocumentError(`line ${parser.line}: elements are nested more than ${XML_LIMITS.depth} levels deep`)
    const outer = inside.at(-1) ?? containers.at(-1)
    const tag = openTag(saxesTag, outer?.scope ?? NO_SCOPE, parser.line)
    if (inside.length === 0 && isContainer(tag, containers)) {
      containers.push(tag)
      events.push({ kind: 'open', tag })
      return
    }
    if (inside.length === 0) state.elements = 0
    if (++state.elements > XML_LIMITS.elements)
      throw new DocumentError(
        `line ${parser.line}: '${inside[0]?.name}' contains more than ${XML_LIMITS.elements} elements`,
      )
    inside.at(-1)?.content.push(tag)
    inside.push(tag)
  })
  parser.on('closetag', () => {
    state.tags++
    const element = inside.pop()
    if (!element) {
      containers.pop()
      events.push({ kind: 'close' })
    } else if (inside.length === 0) events.push({ kind: 'element', element })
  })
  const onText = (text: string): void => {
    if (text !== '') inside.at(-1)?.content.push(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  return state
}

function openTag(tag: SaxesTagNS, outer: Scope, line: number): Open {
  const declared = Object.entries(tag.ns)
  const scope = declared.length > 0 ? { declared: new Map(declared), outer } : outer
  const attributes: XmlAttribute[] = []
  for (const { prefix, uri, local, value } of Object.values(tag.attributes))
    if (prefix !== 'xmlns' && !(prefix === '' && local === 'xmlns'))
      attributes.push({ prefix, uri, name: local, value })
  return { prefix: tag.prefix, uri: tag.uri, name: tag.local, attributes, scope, line, content: [] }
}

/** Parser messages start with the position. */
function parse(step: () => unknown): void {
  try {
    step()
  } catch (error) {
    if (error instanceof DocumentError || !(error instanceof Error)) throw error
    const [, line, column, reason] = /^(\d+):(\d+): ([\s\S]*)$/.exec(error.message) ?? []
    if (line === undefined) throw error
    throw new DocumentError(
      `line ${line}, column ${column}: the document is not well-formed XML: ${reason?.slice(0, 200)}`,
    )
  }
}
