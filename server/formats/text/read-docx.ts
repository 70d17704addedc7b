import { openBudget } from '../archive/budget.ts'
import { zipEntries } from '../archive/zip.ts'
import { DocumentError, documentOf } from '../document.ts'
import type { Reader } from '../finding.ts'
import { readXml } from '../xml/read-xml.ts'
import { attributeOf, textOf } from '../xml/xml-element.ts'
import { type Blocks, blocksIn } from './docx-text.ts'
import { reportOf } from './report.ts'
import { timeOf } from './time-of.ts'
import { wholeOf } from './whole.ts'

const MIB = 1024 * 1024

/** Unpacking limits. Larger documents are either zip bombs or contain mostly images. */
export const DOCX_LIMITS = { entries: 10_000, totalBytes: 256 * MIB, entryBytes: 64 * MIB, ratio: 200, depth: 1 }

const PROPERTIES = 'docProps/core.xml'
const MAIN = 'word/document.xml'
/** Additional parts with text, in the order in which they are appended. */
const ADDITIONAL_PARTS = /^word\/(?:footnotes|endnotes|comments|header\d{0,3}|footer\d{0,3})\.xml$/
const TARGETS = /^word\/_rels\/[a-z\d]{1,40}\.xml\.rels$/

/** Reads a Word document as a report with its paragraphs, tables and notes, and the observables in them. */
export const readDocx: Reader = async function* (document) {
  const bytes = await wholeOf(document)
  const parts = await partsOf(bytes)
  const main = parts.get(MAIN)
  if (!main) throw new DocumentError(`The Word document does not contain ${MAIN}.`)
  const losses: string[] = []
  const body = await blocksOf(parts, MAIN, main)
  const beside: string[] = []
  for (const [name, part] of [...parts].filter(([name]) => ADDITIONAL_PARTS.test(name)).sort(byName)) {
    const blocks = await blocksOf(parts, name, part).catch((error: unknown) => {
      if (!(error instanceof DocumentError)) throw error
      losses.push(`${name}: cannot be read: ${error.message}`)
    })
    if (blocks) beside.push(blocks.text)
  }
  const { title, created } = await propertiesOf(parts.get(PROPERTIES))
  yield await reportOf({
    bytes,
    name: document.name,
    titles: [title, body.title, body.heading],
    text: [body.text, ...beside].filter((text) => text !== '').join('\n\n'),
    timestamp: timeOf(created),
    losses,
  })
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

/** Unpacks only the parts that contain text. */
async function partsOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  const budget = openBudget(DOCX_LIMITS)
  const read = async (start: number, length: number) => bytes.subarray(start, start + length)
  const parts = new Map<string, Buffer>()
  for await (const { name, content, packed, announced } of zipEntries({ size: bytes.length, read }, undefined)) {
    budget.enter(name)
    if (name !== MAIN && name !== PROPERTIES && !ADDITIONAL_PARTS.test(name) && !TARGETS.test(name)) continue
    if (announced) budget.checkDeclared(name, announced.size, announced.packed)
    if (parts.has(name)) throw new DocumentError(`${name}: occurs twice in the document`)
    const chunks = await Array.fromAsync(budget.meter(name, content, packed))
    parts.set(name, Buffer.concat(chunks))
  }
  return parts
}

/** Returns the text of a part with its link targets. */
async function blocksOf(parts: ReadonlyMap<string, Buffer>, name: string, part: Buffer): Promise<Blocks> {
  const relations = parts.get(name.replace(/^word\//, 'word/_rels/').concat('.rels'))
  const targets = new Map<string, string>()
  if (relations) {
    for await (const event of readXml(documentOf(relations), (_tag, outer) => outer.length === 0)) {
      if (event.kind !== 'element' || !attributeOf(event.element, 'Type').endsWith('/hyperlink')) continue
      targets.set(attributeOf(event.element, 'Id'), attributeOf(event.element, 'Target'))
    }
  }
  try {
    return await blocksIn(documentOf(part), targets)
  } catch (error) {
    throw error instanceof DocumentError ? new DocumentError(`${name}: ${error.message}`) : error
  }
}

async function propertiesOf(part: Buffer | undefined): Promise<{ title?: string; created?: string }> {
  const found: { title?: string; created?: string } = {}
  if (!part) return found
  try {
    for await (const event of readXml(documentOf(part), (_tag, outer) => outer.length === 0)) {
      if (event.kind !== 'element') continue
      if (event.element.name === 'title') found.title = textOf(event.element)
      if (event.element.name === 'created') found.created = textOf(event.element)
    }
  } catch (error) {
    // The document can be read without its metadata.
    if (!(error instanceof DocumentError)) throw error
  }
  return found
}
