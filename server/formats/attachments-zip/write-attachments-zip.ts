import { csvLine } from '../../domain/csv.ts'
import type { Shipment, ShippedAttachment, ShippedEntity, Writer } from '../shipment.ts'
import { packedBytes } from './packed-bytes.ts'
import { safeName, uniqueNames } from './safe-name.ts'
import { MAX_FILE_BYTES, type ZipInput, zipOf } from './zip.ts'

type Lose = Parameters<Writer>[1]

/** The columns of the index, which is the last file of the archive. */
export const INDEX_COLUMNS = [
  'path',
  'filename',
  'size',
  'sha256',
  'content_type',
  'entity.id',
  'entity.stix_id',
  'entity.type',
  'entity.title',
] as const

/** Writes the attachments of all entities as a zip archive with one folder per entity. */
export const writeAttachmentsZip: Writer = (shipment, lose) => zipOf(filesOf(shipment, lose), new Date(shipment.at))

async function* filesOf(shipment: Shipment, lose: Lose): AsyncGenerator<ZipInput> {
  const index = packedBytes()
  index.add(Buffer.from(csvLine(INDEX_COLUMNS)))
  for await (const entity of shipment.entities()) {
    const folder = `${safeName(entity.data.title, entity.data.type, 60)}-${entity.id}`
    const nameOf = uniqueNames()
    for (const attachment of entity.attachments) {
      if (attachment.size > MAX_FILE_BYTES) {
        lose(entity.data.id, `attachment '${attachment.filename}' is too large for a zip archive`)
        continue
      }
      const path = `${folder}/${nameOf(safeName(attachment.filename, 'attachment'))}`
      index.add(Buffer.from(csvLine(indexRow(path, attachment, entity))))
      yield { path, size: attachment.size, isCompressible: isCompressible(attachment), open: attachment.open }
    }
  }
  yield { path: 'attachments.csv', size: index.size, isCompressible: true, open: index.read }
}

/** Images, archives and office documents are already compressed. */
const isCompressible = ({ content_type }: ShippedAttachment): boolean =>
  !/^(?:image|audio|video)\/(?!svg|bmp|tiff)|zip|compressed|officedocument|pdf|7z|rar|gzip/.test(content_type)

const indexRow = (path: string, attachment: ShippedAttachment, { id, data }: ShippedEntity): unknown[] => [
  path,
  attachment.filename,
  attachment.size,
  attachment.sha256,
  attachment.content_type,
  id,
  data.id,
  data.type,
  data.title,
]
