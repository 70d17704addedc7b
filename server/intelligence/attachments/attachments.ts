import { sql } from 'kysely'
import { z } from 'zod'
import { computed, Field, json, refs, searched, text } from '../../engine/field.ts'
import { type Condition, defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { filename } from '../../http/filename.ts'
import { content, LARGEST } from './content.ts'
import { downloadRoutes } from './download.ts'
import { operations } from './operations.ts'

const PATH = '/api/v2/entities/attachments/'

/** The hash that names a content; operations set it. */
const sha256 = new Field({ ...text().hidden().props, storage: { kind: 'column', type: 'bytea' } })

const ofBlob = (expression: string) => `select ${expression} from blobs as b where b.sha256 = t.sha256`

/** Finds attachments by a hash of their content. */
const hash = (column: 'md5' | 'sha1' | 'sha256', bytes: number) =>
  searched(
    `${bytes * 2} hexadecimal digits`,
    (value) => (/^[0-9a-f]+$/i.test(value) && value.length === bytes * 2 ? `\\x${value}` : undefined),
    (_, values) =>
      sql`t.sha256 in (select b.sha256 from blobs as b where b.${sql.ref(column)} = any(${values}::bytea[]))`,
  )

/** What feeds bring is made by nobody, and for a moment belongs to no entity. */
const isMadeBy: Condition = ({ caller }, t) =>
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
      .describe(`The content in base64, at most ${LARGEST} bytes; required for a new attachment.`),
    filename: text().accepts(filename).default(''),
    entities: refs('entities', 'entity_attachments', { inverse: true }),
    meta: json(z.looseObject({})).default({}),
    download_url: computed(
      'text',
      z.url(),
      `'${PATH}' || t.id || '/download'`,
      (url) => `${PATH}${url.split(PATH)[1] ?? ''}`,
    ).path(),
    size: computed('integer', z.int(), ofBlob('b.size')),
    hashes: computed(
      'jsonb',
      z.object({ md5: z.string(), sha1: z.string(), sha256: z.string() }),
      ofBlob(`jsonb_build_object(
        'md5', encode(b.md5, 'hex'), 'sha1', encode(b.sha1, 'hex'), 'sha256', encode(b.sha256, 'hex'))`),
    ),
    content_type: computed('text', z.string(), ofBlob('b.content_type')).describe('As the content itself tells.'),
    sha256,
    ...stamps,
  },
  places: { 'hashes.md5': hash('md5', 16), 'hashes.sha1': hash('sha1', 20), 'hashes.sha256': hash('sha256', 32) },
  visible: (ctx, t) => sql`(${isMadeBy(ctx, t)} or exists (
    select from entity_attachments as v join entities as e on e.id = v.source
    where v.target = ${sql.ref(`${t}.id`)} and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}))`,
  operations,
  routes: downloadRoutes,
  example: { filename: 'report.txt', data: 'U2VlbiBpbiBtYWlscyB0byB0aHJlZSBiYW5rcy4K', meta: { pages: 1 } },
})
