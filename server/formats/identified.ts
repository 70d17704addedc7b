import type { Reader } from './finding.ts'
import { madeId } from './made-id.ts'

/** What is known of a document beside its bytes. */
export interface Known {
  /** By which it is the same document, whatever it says by now. */
  readonly identity: string
  /** What it is called, where it does not say that itself. */
  readonly title?: string | undefined
  /** Where it was published. */
  readonly link?: string | null | undefined
  /** When, as ISO 8601 has it. */
  readonly published?: string | null | undefined
}

/**
 * A reader of texts whose report is the same one for each version of a document. Without an identity, reports are known by
 * their bytes, and a document that changes becomes a second report.
 */
export const identified = (read: Reader, { identity, link, published }: Known): Reader =>
  async function* (document) {
    for await (const finding of read(document)) {
      if (finding.kind !== 'entity' || finding.entity.data.type !== 'report') {
        yield finding
        continue
      }
      const { data } = finding.entity
      const known = {
        ...data,
        id: madeId('report', identity),
        ...(published && { published, timestamp: data.timestamp ?? published }),
        ...(link && { external_references: [{ source_name: URL.parse(link)?.hostname || 'Article', url: link }] }),
      }
      yield { ...finding, entity: { ...finding.entity, data: known } }
    }
  }
