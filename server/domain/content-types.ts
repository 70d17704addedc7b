/** What is written in one form: how it is called, and what a document of it is. */
export interface ContentType {
  readonly urn: string
  /** What the command line calls it. */
  readonly name: string
  readonly doc: string
  readonly mediaType: string
  readonly extension: string
  /** Whether a document has observables in it, which not everybody may read. */
  readonly hasObservables: boolean
  /** Whether documents of it are written here and cannot be read. */
  readonly isWrittenOnly?: true
}

const STIX = { hasObservables: true }

/** Everything that entities can be written as. */
export const CONTENT_TYPES = [
  {
    ...STIX,
    urn: 'urn:oasis:stix:json:2.1',
    name: 'stix2',
    doc: 'STIX 2.1 bundle',
    mediaType: 'application/stix+json;version=2.1',
    extension: 'stix.json',
  },
  {
    ...STIX,
    urn: 'urn:stix.mitre.org:xml:1.2',
    name: 'stix1',
    doc: 'STIX 1.2 package',
    mediaType: 'application/xml',
    extension: 'stix.xml',
  },
  {
    urn: 'urn:eclecticiq.com:json:3.2',
    name: 'json',
    doc: 'platform JSON, with nothing left out',
    mediaType: 'application/json',
    extension: 'json',
    hasObservables: true,
  },
  {
    urn: 'urn:eclecticiq.com:json:2.0',
    name: 'json2',
    doc: 'platform JSON as older clients read it',
    mediaType: 'application/json',
    extension: 'json',
    hasObservables: true,
  },
  {
    urn: 'urn:misp:json:1.0',
    name: 'misp',
    doc: 'MISP events',
    mediaType: 'application/json',
    extension: 'misp.json',
    hasObservables: true,
  },
  {
    urn: 'urn:misp:feed:1.0',
    name: 'misp-feed',
    doc: 'the folder of a MISP feed in one archive',
    mediaType: 'application/zip',
    extension: 'misp-feed.zip',
    hasObservables: true,
    isWrittenOnly: true,
  },
  {
    urn: 'urn:eclecticiq.com:csv-entities:1.0',
    name: 'csv',
    doc: 'a line per entity',
    mediaType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    hasObservables: true,
  },
  {
    urn: 'urn:eclecticiq.com:csv-extracts:1.0',
    name: 'observables-csv',
    doc: 'a line per observable and entity',
    mediaType: 'text/csv; charset=utf-8; header=present',
    extension: 'observables.csv',
    hasObservables: true,
  },
  {
    urn: 'urn:eclecticiq.com:csv-fields:1.0',
    name: 'fields-csv',
    doc: 'a line per entity, with chosen fields',
    mediaType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    hasObservables: true,
    isWrittenOnly: true,
  },
  {
    urn: 'urn:eclecticiq.com:attachments-zip:1.0',
    name: 'zip',
    doc: 'the attachments of the entities in one archive',
    mediaType: 'application/zip',
    extension: 'zip',
    hasObservables: false,
    isWrittenOnly: true,
  },
] as const satisfies readonly ContentType[]

export type ContentTypeUrn = (typeof CONTENT_TYPES)[number]['urn']

/** The form with chosen fields: it has to be told which. */
export const FIELDS_CSV = 'urn:eclecticiq.com:csv-fields:1.0' satisfies ContentTypeUrn

const VENDOR = 'urn:eclecticiq.com:'

/** The form that a name stands for, whoever's vendor name is in it; undefined for anything else. */
export function contentTypeOf(text: string): (typeof CONTENT_TYPES)[number] | undefined {
  const own = text.trim().toLowerCase()
  const vendorless = /^urn:[^:\s]{1,100}:(?!stix:)(.+)$/.exec(own)?.[1]
  return CONTENT_TYPES.find(({ urn }) => urn === own || (vendorless !== undefined && urn === `${VENDOR}${vendorless}`))
}

/** Versions of these forms that are read and no longer written. */
const OLDER: readonly string[] = [
  'urn:oasis:stix:json:2.0',
  'urn:stix.mitre.org:xml:1.0',
  'urn:stix.mitre.org:xml:1.0.1',
  'urn:stix.mitre.org:xml:1.1',
  'urn:stix.mitre.org:xml:1.1.1',
]

/** The URNs of everything that can be read. */
export const READABLE_URNS: readonly string[] = [
  ...CONTENT_TYPES.filter((type: ContentType) => !type.isWrittenOnly).map(({ urn }) => urn),
  ...OLDER,
]

/** The URN that a name for something readable stands for, in its usual spelling; undefined for anything else. */
export function readableUrnOf(text: string): string | undefined {
  const urn = contentTypeOf(text)?.urn ?? text.trim().toLowerCase()
  return READABLE_URNS.includes(urn) ? urn : undefined
}
