import { ownTable } from './csv/own-table.ts'
import { type Document, DocumentError } from './document.ts'
import { VALUE_LIMIT } from './json/cut-value.ts'
import { detectList } from './lists/detect-list.ts'
import { binaryKind, isMostlyText } from './recognising/binary-kind.ts'
import { brokenClaim } from './recognising/claim.ts'
import { HEAD, headOf } from './recognising/head.ts'
import { jsonKind } from './recognising/json-kind.ts'
import { textKind } from './recognising/text-kind.ts'
import { decodeHead } from './recognising/wide-text.ts'
import { xmlKind } from './recognising/xml-kind.ts'

/** The kind of a document. `json` and `xml` are JSON and XML of unknown kinds; `unknown` is neither text nor an archive. */
export type Kind =
  | 'stix-2'
  | 'platform-json'
  | 'misp'
  | 'misp-galaxy'
  | 'json'
  | 'stix-1'
  | 'openioc'
  | 'xml'
  | 'html'
  | 'csv'
  | 'markdown'
  | 'email'
  | 'sigma'
  | 'text'
  | 'pdf'
  | 'docx'
  | 'zip'
  | 'gzip'
  | 'tar'
  | 'unknown'

/**
 * Recognises a document by its beginning; its name only decides between kinds of text. A document with errors still has the kind it was
 * meant to be, so that its reader can report them. A document that does not match its extension is rejected, unless a CSV mapping defines
 * its format.
 */
export async function recognise(document: Document, { hasMapping = false } = {}): Promise<Kind> {
  const head = await headOf(document)
  if (head.length === 0) throw new DocumentError('The file is empty.')
  const { text, encoding } = decodeHead(head)
  const format = await formatOf(document, head, text, encoding)
  const broken = hasMapping ? undefined : brokenClaim(document.name, format, text)
  if (broken !== undefined) throw new DocumentError(broken)
  return format
}

async function formatOf(document: Document, head: Buffer, text: string, encoding: string): Promise<Kind> {
  const binary = binaryKind(head, document.name)
  if (binary) return binary
  const structured = (await kindOfJson(document, head, text)) ?? xmlKind(text)
  if (structured && structured !== 'html' && encoding !== 'UTF-8') {
    throw new DocumentError(`The file is JSON or XML in ${encoding}; save it as UTF-8.`)
  }
  if (structured) return structured
  if (encoding === 'UTF-32') throw new DocumentError('The file is text in UTF-32; save it as UTF-8.')
  if (encoding === 'UTF-8' && !isMostlyText(head)) return 'unknown'
  const kind = textKind(text, document.name)
  return kind === 'text' && (await isTable(document)) ? 'csv' : kind
}

/** How much of a JSON document may precede the members that determine its kind: the largest value that readers accept. */
const LONG_HEAD = VALUE_LIMIT + HEAD

/** Returns the kind of a JSON document. Members have no fixed order, so the decisive ones may be far from the beginning. */
async function kindOfJson(document: Document, head: Buffer, text: string): Promise<ReturnType<typeof jsonKind>> {
  const kind = jsonKind(text)
  if (kind !== 'json' || head.length < HEAD) return kind
  return jsonKind(decodeHead(await headOf(document, LONG_HEAD)).text)
}

const isTable = async (document: Document): Promise<boolean> =>
  (await ownTable(document)) !== undefined || (await detectList(document))?.isTable === true
