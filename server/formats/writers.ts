import { type ContentTypeUrn, FIELDS_CSV } from '../domain/content-types.ts'
import { COLUMNS, fieldsCsv } from './fields-csv.ts'
import type { Writer } from './shipment.ts'

/** Loaded with the first document of their kind. */
const WRITERS: Readonly<Record<Exclude<ContentTypeUrn, typeof FIELDS_CSV>, () => Promise<Writer>>> = {
  'urn:oasis:stix:json:2.1': async () => (await import('./stix2/write-stix2.ts')).writeStix2,
  'urn:stix.mitre.org:xml:1.2': async () => (await import('./stix1/write/write-stix1.ts')).writeStix1,
  'urn:eclecticiq.com:json:3.2': async () => (await import('./platform-json/write-platform-json.ts')).writePlatformJson,
  'urn:eclecticiq.com:json:2.0': async () =>
    (await import('./platform-json/write-platform-json.ts')).writePlatformJson2,
  'urn:misp:json:1.0': async () => (await import('./misp/write/write-misp.ts')).writeMisp,
  'urn:misp:feed:1.0': async () => (await import('./misp/write/write-misp.ts')).writeMispFeed,
  'urn:eclecticiq.com:csv-entities:1.0': async () => (await import('./csv/write-entities-csv.ts')).writeEntitiesCsv,
  'urn:eclecticiq.com:csv-extracts:1.0': async () =>
    (await import('./csv/write-observables-csv.ts')).writeObservablesCsv,
  'urn:eclecticiq.com:attachments-zip:1.0': async () =>
    (await import('./attachments-zip/write-attachments-zip.ts')).writeAttachmentsZip,
}

/** What writes a form; the one with chosen fields has to be told which. */
export const writerOf = async (urn: ContentTypeUrn, fields: readonly string[] = COLUMNS): Promise<Writer> =>
  urn === FIELDS_CSV ? fieldsCsv(fields) : WRITERS[urn]()
