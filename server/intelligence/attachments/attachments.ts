import { sql } from 'kysely'
import { z } from 'zod'
import type { Condition } from '../../engine/definition.ts'
import { computed, json, refs, searched, text } from '../../engine/field.ts'
import { Field } from '../../engine/field-class.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { filename } from '../../http/filename.ts'
import { attachmentOperations } from './attachment-operations.ts'
import { content, MAX_ATTACHMENT_BYTES } from './content.ts'
import { downloadRoutes } from './download.ts'

const PATH = '/api/v2/entities/attachments/'

/** Refers to the stored content; set by the operations, never by clients. */
const sha256 = new Field({ ...text().hidden().props, storage: { kind: 'column', type: 'bytea' } })

const blobColumn = (expression: string) => `select ${expression} from blobs as b where b.sha256 = t.sha256`

/** Filters attachments by a hash of their content. */
const hash = (column: 'md5' | 'sha1' | 'sha256', bytes: number) =>
  searched(
    `${bytes * 2} hexadecimal digits`,
    (value) => (/^[0-9a-f]+$/i.test(value) && value.length === bytes * 2 ? `\\x${value}` : undefined),
    (_, values) =>
      sql`t.sha256 in (select b.sha256 from blobs as b where b.${sql.ref(column)} = any(${values}::bytea[]))`,
  )

/** The creator sees an attachment without entities. Feeds have no user, and attach their files to entities only afterwards. */
const isCreator: Condition = ({ caller }, t) =>
  caller.id === 0 ? sql`${sql.ref(`${t}.created_by`)} is null` : sql`${sql.ref(`${t}.created_by`)} = ${caller.id}`

export const attachments = defineResource({
  collection: 'attachments',
  title: 'Entity attachment',
  doc: 'A file that belongs to entities.',
  key: ['id'],
  permission: 'entities',
  fields: {
    data: computed('bytea', content, 'null')
      .writeOnly()
      .nullable()
      .describe(`The content in base64, at most ${MAX_ATTACHMENT_BYTES} bytes. Required for new attachments.`),
    filename: text().accepts(filename).default(''),
    entities: refs('entities', 'entity_attachments', { inverse: true }),
    meta: json(z.looseObject({})).default({}),
    download_url: computed(
      'text',
      z.url(),
      `'${PATH}' || t.id || '/download'`,
      (url) => `${PATH}${url.split(PATH)[1] ?? ''}`,
    ).path(),
    size: computed('integer', z.int(), blobColumn('b.size')),
    hashes: computed(
      'jsonb',
      z.object({ md5: z.string(), sha1: z.string(), sha256: z.string() }),
      blobColumn(`jsonb_build_object(
        'md5', encode(b.md5, 'hex'), 'sha1', encode(b.sha1, 'hex'), 'sha256', encode(b.sha256, 'hex'))`),
    ),
    content_type: computed('text', z.string(), blobColumn('b.content_type')).describe('Detected from the content.'),
    sha256,
    ...stamps,
  },
  search: {
    filters: { 'hashes.md5': hash('md5', 16), 'hashes.sha1': hash('sha1', 20), 'hashes.sha256': hash('sha256', 32) },
  },
  visible: (ctx, t) => sql`(${isCreator(ctx, t)} or exists (
    select from entity_attachments as v join entities as e on e.id = v.source
    where v.target = ${sql.ref(`${t}.id`)} and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}))`,
  operations: attachmentOperations,
  routes: (standard) => [...downloadRoutes, ...standard],
  example: { filename: 'report.txt', data: 'U2VlbiBpbiBtYWlscyB0byB0aHJlZSBiYW5rcy4K', meta: { pages: 1 } },
})
