import type { Document } from '../document.ts'
import { readXml } from '../xml/read-xml.ts'
import { childOf, childrenOf, type XmlElement } from '../xml/xml-element.ts'

/** The text of one part of a Word document. */
export interface Blocks {
  readonly text: string
  /** The first paragraph with the title style, and with a heading style. */
  readonly title: string | undefined
  readonly heading: string | undefined
}

const CONTAINERS = new Set([
  'document',
  'body',
  'footnotes',
  'endnotes',
  'comments',
  'footnote',
  'endnote',
  'comment',
  'hdr',
  'ftr',
])

/** Reads a part block by block. `targets` are the link addresses by relationship id. */
export async function blocksIn(part: Document, targets: ReadonlyMap<string, string>): Promise<Blocks> {
  const lines: string[] = []
  let title: string | undefined
  let heading: string | undefined
  for await (const event of readXml(part, ({ name }) => CONTAINERS.has(name))) {
    if (event.kind !== 'element') continue
    const own = linesOf(event.element, targets)
    lines.push(...own)
    const style = styleOf(event.element)
    if (/^title$/i.test(style)) title ??= own.join(' ')
    if (/^(?:heading|berschrift|titre)\s?1$/i.test(style)) heading ??= own.join(' ')
  }
  return { text: lines.join('\n').trim(), title, heading }
}

/** Paragraphs become lines, and table rows become lines with tabs between their cells. */
function linesOf(element: XmlElement, targets: ReadonlyMap<string, string>): string[] {
  if (element.name === 'p') return [paragraph(element, targets)]
  if (element.name === 'tr') {
    const cells = childrenOf(element).filter(({ name }) => name === 'tc' || name === 'sdt')
    return [
      cells
        .map((cell) =>
          childrenOf(cell)
            .flatMap((child) => linesOf(child, targets))
            .join(' '),
        )
        .join('\t'),
    ]
  }
  if (element.name === 'sectPr') return []
  return childrenOf(element).flatMap((child) => linesOf(child, targets))
}

function paragraph(element: XmlElement, targets: ReadonlyMap<string, string>): string {
  const parts: string[] = []
  write(element, targets, parts)
  return parts.join('').trimEnd()
}

/** Writes the text of a run, without deletions and field codes. */
function write(element: XmlElement, targets: ReadonlyMap<string, string>, parts: string[]): void {
  for (const child of element.content) {
    if (typeof child === 'string') {
      if (element.name === 't') parts.push(child)
    } else if (child.name === 'tab') parts.push('\t')
    else if (child.name === 'br' || child.name === 'cr') parts.push('\n')
    else if (child.name === 'noBreakHyphen') parts.push('-')
    else if (child.name === 'hyperlink') writeLink(child, targets, parts)
    else if (child.name !== 'del' && child.name !== 'pPr' && child.name !== 'rPr' && child.name !== 'Fallback') {
      write(child, targets, parts)
      // Text boxes are nested in paragraphs.
      if (child.name === 'p') parts.push('\n')
    }
  }
}

/** Writes the text of a link, followed by its target if the text is about it. */
function writeLink(link: XmlElement, targets: ReadonlyMap<string, string>, parts: string[]): void {
  const start = parts.length
  write(link, targets, parts)
  const id = link.attributes.find(({ name, prefix }) => name === 'id' && prefix !== '')?.value ?? ''
  const target = targets.get(id) ?? ''
  const said = parts.slice(start).join('')
  const url = /^(?:https?|ftp):/i.test(target) ? URL.parse(target) : null
  const plain = said.replace(/[[\](){}\\]/g, '').toLowerCase()
  if (url && !said.includes(target) && plain.includes(url.hostname.replace(/^www\./, ''))) parts.push(` <${target}>`)
}

function styleOf(element: XmlElement): string {
  const style = childOf(childOf(element, 'pPr'), 'pStyle')
  return style?.attributes.find(({ name }) => name === 'val')?.value ?? ''
}
