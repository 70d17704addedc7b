import type { ContentTypeUrn, FIELDS_CSV } from '../../domain/content-types.ts'
import type { Itemiser } from './content-item.ts'

/** Loaded with the first document of their kind. */
const ITEMISERS: Readonly<Record<Exclude<ContentTypeUrn, typeof FIELDS_CSV>, () => Promise<Itemiser>>> = {
  'urn:oasis:stix:json:2.1': async () => (await import('./stix-items.ts')).stixItems,
  'urn:stix.mitre.org:xml:1.2': async () => (await import('./document-items.ts')).componentItems,
  'urn:eclecticiq.com:json:3.2': async () => (await import('./document-items.ts')).platformItems,
  'urn:eclecticiq.com:json:2.0': async () => (await import('./document-items.ts')).platform2Items,
  'urn:misp:json:1.0': async () => (await import('./document-items.ts')).platformItems,
  'urn:misp:feed:1.0': async () => (await import('./document-items.ts')).platformItems,
  'urn:eclecticiq.com:csv-entities:1.0': async () => (await import('./table-items.ts')).entityRowItems,
  'urn:eclecticiq.com:csv-extracts:1.0': async () => (await import('./table-items.ts')).observableItems,
  'urn:eclecticiq.com:attachments-zip:1.0': async () => (await import('./document-items.ts')).attachmentItems,
}

/** What takes a document of a form apart, so that two of them can be compared piece by piece. */
export const itemiserOf = (urn: keyof typeof ITEMISERS): Promise<Itemiser> => ITEMISERS[urn]()
