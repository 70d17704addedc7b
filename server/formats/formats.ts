import { attachmentsZip } from './attachments-zip/format.ts'
import { csv } from './csv/format.ts'
import { type Document, DocumentError } from './document.ts'
import type { ContentType, Format, Reading, Way } from './format.ts'
import { misp, mispGalaxy } from './misp/format.ts'
import { openIoc } from './openioc/format.ts'
import { platformJson } from './platform-json/format.ts'
import type { Kind } from './recognise.ts'
import { sigma } from './sigma/format.ts'
import { stix1 } from './stix1/format.ts'
import { stix2 } from './stix2/format.ts'
import { textFormats } from './text/format.ts'

/** All formats. People see their content types in this order. */
const LIST = [
  stix2,
  stix1,
  platformJson,
  misp,
  mispGalaxy,
  csv,
  attachmentsZip,
  openIoc,
  sigma,
  ...textFormats,
] as const satisfies readonly Format[]

const FORMATS: readonly Format[] = LIST

export type ContentTypeUrn = (typeof LIST)[number]['contentTypes'][number]['urn']

export type NamedContentType = ContentType & { readonly urn: ContentTypeUrn }

/** Everything that entities can be exported as. */
export const CONTENT_TYPES: readonly NamedContentType[] = LIST.flatMap(
  ({ contentTypes }): readonly NamedContentType[] => contentTypes,
)

/** The content types that can be asked for by name: all but the one with chosen fields. */
export const OFFERED_TYPES: readonly NamedContentType[] = CONTENT_TYPES.filter(({ needsFields }) => !needsFields)

/** The URNs of everything that can be read. */
export const READABLE_URNS: readonly string[] = [
  ...CONTENT_TYPES.filter(({ isWrittenOnly }) => !isWrittenOnly).map(({ urn }) => urn),
  ...FORMATS.flatMap(({ olderUrns = [] }) => olderUrns),
]

const VENDOR = 'urn:eclecticiq.com:'

/** The content type with this URN, in any case and with any vendor's name in it; undefined for anything else. */
export function contentTypeOf(text: string): NamedContentType | undefined {
  const own = text.trim().toLowerCase()
  const vendorless = /^urn:[^:\s]{1,100}:(?!stix:)(.+)$/.exec(own)?.[1]
  return CONTENT_TYPES.find(({ urn }) => urn === own || (vendorless !== undefined && urn === `${VENDOR}${vendorless}`))
}

/** The URN of something readable in its usual spelling; undefined for anything else. */
export function readableUrnOf(text: string): string | undefined {
  const urn = contentTypeOf(text)?.urn ?? text.trim().toLowerCase()
  return READABLE_URNS.includes(urn) ? urn : undefined
}

/** The kind of a document, given the content type that its sender claims. A clearly recognised document keeps its kind. */
export function kindClaimed(contentType: string | null, recognised: Kind): Kind {
  const claimed = FORMATS.find(({ contentTypes, olderUrns = [] }) =>
    [...contentTypes.map(({ urn }) => urn), ...olderUrns].some((urn) => urn === contentType),
  )
  return (claimed?.mistakenFor?.includes(recognised) && claimed.kind) || recognised
}

/** Returns the way to read a document. Throws a DocumentError if its kind is not supported. */
export async function wayOf(kind: Kind, document: Document, reading: Reading): Promise<Way> {
  // A column mapping implies a table.
  const format = reading.csvMapping && kind === 'text' ? csv : FORMATS.find((each) => each.kind === kind)
  if (format?.read) return format.read(document, reading)
  throw new DocumentError(`${NAMES[kind] ?? 'The file'} is not in a supported format.`)
}

const NAMES: Partial<Record<Kind, string>> = { json: 'The JSON document', xml: 'The XML document' }
