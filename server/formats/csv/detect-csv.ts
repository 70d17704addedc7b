import { type Document, DocumentError } from '../document.ts'
import type { Reader } from '../finding.ts'
import { observableAmong } from '../observable-among.ts'
import { csvReader } from './csv-reader.ts'
import type { CsvMapping } from './mapping.ts'
import { typesNamed } from './observable-names.ts'
import { readEntitiesCsv } from './read-entities-csv.ts'
import { readObservablesCsv } from './read-observables-csv.ts'
import { readRows } from './rows.ts'

const DELIMITERS = [',', ';', '\t', '|']
const PEEK = 64 * 1024

/** What lists call the column of their values, and that of the types of these values. */
const VALUE_NAMES = ['value', 'indicator', 'ioc', 'ioc_value', 'observable', 'observable_value', 'indicator_value']
const TYPE_NAMES = ['type', 'ioc_type', 'indicator_type', 'observable_type', 'entity_type', 'indicator type', 'kind']

/** Names of columns that leave no doubt what stands in them; `name`, `file` or `country` could be anything. */
const EVIDENT = new Set(
  `asn cidr cve crypto-address domain domain-name dst-ip e-mail email email-addr email-address file-hash filehash-md5
  filehash-sha1 filehash-sha256 fqdn hash hash-md5 hash-sha1 hash-sha256 hash-sha512 hash-ssdeep hashes hostname imphash
  indicator indicator-value ioc ioc-value ip ip-addr ip-address ipaddr ipaddress ips ipv4 ipv4-addr ipv4-cidr ipv6 ipv6-addr
  ipv6-cidr ja3 ja3-hash ja3s ja3s-hash jarm mac-address md5 observable observable-value sha-1 sha-256 sha-512 sha1 sha256
  sha384 sha512 src-ip ssdeep uri url urls user-agent`.split(/\s+/),
)

/** Rows of a list with one column that are looked at: a text may begin with such a word as well. */
const LOOKED_AT = 20

/** The reader for a table that comes without a mapping, where its header tells what it holds; undefined where it does not. */
export async function detectCsv(document: Document): Promise<Reader | undefined> {
  const head = await headOf(document)
  for (const delimiter of DELIMITERS) {
    const header = await headerOf(head, delimiter)
    if (!header) continue
    const names = new Set(header)
    if (delimiter === ',' && names.has('data.type') && names.has('data.title')) return readEntitiesCsv
    if (delimiter === ',' && names.has('value_url') && names.has('entity.id') && names.has('type'))
      return readObservablesCsv
    const mappings = mappingsFor(header)
    if (mappings.length === 0) continue
    const reader = csvReader(listMapping(mappings, delimiter))
    if (header.length > 1 || (await isList(head, header[0] ?? ''))) return reader
  }
  return undefined
}

/** The beginning of a document as a document: enough for the longest header. */
async function headOf(document: Document): Promise<Document> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of document.open()) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= PEEK) break
  }
  const head = Buffer.concat(chunks)
  const isWide = head[0] === 0xff || head[0] === 0xfe
  const end = isWide ? lastWideBreak(head) : head.lastIndexOf(0x0a) + 1
  const bytes = size < PEEK || end === 0 ? head : head.subarray(0, end)
  return {
    name: document.name,
    size: bytes.length,
    open: async function* () {
      yield bytes
    },
  }
}

const lastWideBreak = (head: Buffer): number => {
  const at = head.lastIndexOf(head[0] === 0xff ? Buffer.from([0x0a, 0]) : Buffer.from([0, 0x0a]))
  return at < 0 ? 0 : at + 2
}

/** The names in the first row, or undefined where it cannot be a header. */
async function headerOf(head: Document, delimiter: string): Promise<string[] | undefined> {
  try {
    for await (const { cells } of readRows(head, { delimiter, quote: '"', comment: '#' })) {
      return cells.map((name) => name.trim())
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
  }
  return undefined
}

/** What the columns of a list of observables become, by their names. */
function mappingsFor(header: readonly string[]): CsvMapping['mappings'] {
  const find = (names: readonly string[]) => header.find((name) => names.includes(name.toLowerCase()))
  const value = find(VALUE_NAMES)
  const type = find(TYPE_NAMES)
  const to = (column_name: string, ...vendor_fields: string[]) => ({ column_name, vendor_fields, parameters: {} })
  if (value !== undefined && type !== undefined) {
    return [to(type, 'observables.type'), to(value, 'observables.value')]
  }
  return header.filter(isEvident).map((name) => to(name, `observables.${name}`))
}

const isEvident = (name: string): boolean => EVIDENT.has(name.toLowerCase().replaceAll(/[\s_]+/g, '-'))

/** Whether the lines after a single name are what it says. */
async function isList(head: Document, name: string): Promise<boolean> {
  const types = typesNamed(name) ?? []
  let rows = -1
  for await (const { cells } of readRows(head, { delimiter: ',', quote: '"', comment: '#' })) {
    if (++rows > LOOKED_AT) break
    if (rows > 0 && (cells.length > 1 || 'fault' in observableAmong(types, cells[0] ?? ''))) return false
  }
  return rows > 0
}

const listMapping = (mappings: CsvMapping['mappings'], delimiter: string): CsvMapping => ({
  mappings,
  columns: [],
  default_field_values: {},
  config: {
    comment_character: '#',
    delimiter,
    first_row_is_header: true,
    ignore_comment_lines: true,
    ignore_lines_without_delimiter: false,
    parse_tags: false,
    quote_character: '"',
    tags_delimiter: ';',
  },
})
