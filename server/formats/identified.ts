import type { Reader } from './finding.ts'
import { madeId } from './made-id.ts'

/** What is known about a document in addition to its bytes. */
export interface Known {
  /** Identifies the document regardless of its current contents. */
  readonly identity: string
  /** The title if the document does not contain one. */
  readonly title?: string | undefined
  /** Where it was published. */
  readonly link?: string | null | undefined
  /** When it was published, in ISO 8601. */
  readonly published?: string | null | undefined
}

/**
 * Wraps a text reader so that all versions of a document give the same report. Without an identity, a report is identified by its bytes,
 * and a changed document becomes a second report.
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
