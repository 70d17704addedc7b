import { sql } from 'kysely'
import { z } from 'zod'
import { runDetail } from '../../background/run-details.ts'
import { TLP_ORDER } from '../../domain/tlp.ts'
import { bool, computed, json, ref, refs, searched, secret, string, strings, text } from '../../engine/field.ts'
import { Field } from '../../engine/field-class.ts'
import { ordered } from '../../engine/ordered.ts'
import { defineResource } from '../../engine/resource.ts'
import { linksOf, resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { filename } from '../../http/filename.ts'
import { content, MAX_ATTACHMENT_BYTES } from '../../intelligence/attachments/content.ts'
import { tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { seek } from '../../search/sql/compile.ts'
import { inlineCsvMapping } from '../csv-mappings/mapping.ts'
import { deleteUploads } from './delete-uploads.ts'
import { downloadFile } from './download.ts'
import { fileOperations } from './file-operations.ts'
import { outcomeRoutes } from './file-outcomes.ts'
import { fileLimits } from './limits.ts'
import { processAgain } from './process.ts'
import { fileFields } from './search-fields.ts'
import { uploading } from './upload.ts'

const PATH = '/api/v2/files/'

/** A file may contain a hundred thousand entities: its record lists only the first ones. */
const MAX_ENTITIES_SHOWN = 100

const ofBlob = (expression: string) => `select ${expression} from stored_blobs as b where b.key = t.sha256`
const ofRun = (column: string) => `select r.${column} from task_runs as r where r.id = t.run`

/** Finds files by a hash of their content. */
const hash = (column: 'md5' | 'sha1' | 'key', digits: number) =>
  searched(
    `${digits} hexadecimal digits`,
    (value) => (/^[0-9a-f]+$/i.test(value) && value.length === digits ? value.toLowerCase() : undefined),
    (_, values) =>
      sql`t.sha256 in (select b.key from stored_blobs as b where b.${sql.ref(column)} = any(${values}::text[]))`,
  )

const entities = refs('entities', 'file_entities', {
  shown: (ctx) => sql`(
    select coalesce(json_agg(s.id), '[]')
    from (
      select l.target as id
      ${linksOf(ctx, { kind: 'refs', to: 'entities', through: 'file_entities', here: 'source' }, sql`t.id`)}
      order by l.target
      limit ${MAX_ENTITIES_SHOWN}
    ) as s)`,
})

export const files = defineResource({
  collection: 'files',
  title: 'File',
  doc: 'An uploaded file. Recognised content is imported as entities and observables.',
  key: ['sha256', 'name', 'owner'],
  fields: {
    name: text().accepts(filename).default(''),
    content_type: text()
      .accepts(string(1, 255))
      .default('application/octet-stream')
      .describe('The media type, as declared by the client.'),
    data: computed('bytea', content, 'null')
      .writeOnly()
      .nullable()
      .describe(
        `The content in base64, at most ${MAX_ATTACHMENT_BYTES} bytes; send larger files as multipart/form-data.`,
      ),
    download_url: computed(
      'text',
      z.url(),
      `'${PATH}' || t.id || '/download'`,
      (url) => `${PATH}${url.split(PATH)[1] ?? ''}`,
    ).path(),
    size: computed('bigint', z.int(), ofBlob('b.size')),
    hashes: computed(
      'jsonb',
      z.object({ md5: z.string(), sha1: z.string(), sha256: z.string() }),
      ofBlob(`jsonb_build_object('md5', b.md5, 'sha1', b.sha1, 'sha256', b.key)`),
    ),
    format: text().nullable().readOnly().describe('The format that the content was recognised as.'),
    process: bool().default(true).describe('Whether the file is imported; false only stores it.'),
    run: ref('task_runs').nullable().readOnly().describe('The latest run that imports it.'),
    status: computed('text', z.string(), ofRun('state')).describe('The state of that run.'),
    result: computed('jsonb', z.unknown(), runDetail('result')).describe(
      'The counts of that run; null for users who may not read the details of the run.',
    ),
    reason: computed('text', z.string().nullable(), runDetail('error_detail')).describe(
      'Why that run failed, if it did; null for users who may not read the details of the run.',
    ),
    entities: entities
      .readOnly()
      .linkable()
      .describe(
        `The first ${MAX_ENTITIES_SHOWN} entities of the file that you see; all of them are at /files/{id}/entities and in /entities?filter[files]={id}.`,
      ),
    workspaces: refs('workspaces', 'file_workspaces').describe('Users who see one of them see the file.'),
    source: ref('sources')
      .nullable()
      .describe(
        'The source that imported intelligence is assigned to, which must be that of one of your groups. Default: your first group.',
      ),
    csv_mapping: ref('csv_mappings').nullable().describe('How the columns of a CSV file are read.'),
    inline_csv_mapping: json(inlineCsvMapping).nullable().describe('A mapping for this file alone.'),
    password: secret().describe('The password of an archive; deleted once the archive has been read.'),
    tags: strings(string(1, 500)).describe('Added to imported entities.'),
    tlp_color: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
      'The colour of imported intelligence, unless the file specifies one.',
    ),
    sha256: new Field({ ...text().hidden().props }),
    owner: ref('users').nullable().hidden(),
    ...stamps,
  },
  visible: (ctx, t) => sql`(${sql.ref(`${t}.owner`)} = ${ctx.caller.id} or exists (
    select from file_workspaces as v join workspaces as w on w.id = v.target
    where v.source = ${sql.ref(`${t}.id`)} and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'w')}))`,
  search: {
    filters: { 'hashes.md5': hash('md5', 32), 'hashes.sha1': hash('sha1', 40), 'hashes.sha256': hash('key', 64) },
    query: (ctx, query) => seek(ctx, fileFields, query),
  },
  operations: fileOperations,
  routes: (standard) => [
    fileLimits,
    downloadFile,
    processAgain,
    deleteUploads,
    ...outcomeRoutes,
    ...standard.map((route) => (['POST', 'PUT'].includes(route.method) ? uploading(route) : route)),
  ],
  example: { name: 'addresses.txt', content_type: 'text/plain', data: 'U2VlbiBhdCBsb2dpbi5iYW5rLmV4YW1wbGUuCg==' },
})
