import { sql } from 'kysely'
import { z } from 'zod'
import { runDetail } from '../../background/run-details.ts'
import { TLP_ORDER } from '../../domain/tlp.ts'
import { bool, computed, Field, json, ref, refs, searched, secret, string, strings, text } from '../../engine/field.ts'
import { ordered } from '../../engine/ordered.ts'
import { defineResource } from '../../engine/resource.ts'
import { linksOf, resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { filename } from '../../http/filename.ts'
import { content, LARGEST } from '../../intelligence/attachments/content.ts'
import { tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { seek } from '../../search/sql/compile.ts'
import { inlineCsvMapping } from '../csv-mappings/mapping.ts'
import { deleteUploads } from './delete-uploads.ts'
import { downloadFile } from './download.ts'
import { outcomeRoutes } from './file-outcomes.ts'
import { fileLimits } from './limits.ts'
import { operations } from './operations.ts'
import { processAgain } from './process.ts'
import { fileFields } from './search-fields.ts'
import { uploading } from './upload.ts'

const PATH = '/api/v2/files/'

/** A file may bring a hundred thousand entities: its record shows the first of them. */
const ENTITIES_SHOWN = 100

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
      limit ${ENTITIES_SHOWN}
    ) as s)`,
})

export const files = defineResource({
  collection: 'files',
  title: 'File',
  doc: 'A file that somebody uploaded. What is recognised in it becomes entities and observables.',
  key: ['sha256', 'name', 'owner'],
  fields: {
    name: text().accepts(filename).default(''),
    content_type: text().accepts(string(1, 255)).default('application/octet-stream').describe('As the sender says.'),
    data: computed('bytea', content, 'null')
      .writeOnly()
      .nullable()
      .describe(`The content in base64, at most ${LARGEST} bytes; larger ones come as multipart/form-data.`),
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
    format: text().nullable().readOnly().describe('What the content was recognised as when it was processed.'),
    process: bool().default(true).describe('Whether entities and observables are made of it; false only keeps it.'),
    run: ref('task_runs').nullable().readOnly().describe('The latest run that processes it.'),
    status: computed('text', z.string(), ofRun('state')).describe('The state of that run.'),
    result: computed('jsonb', z.unknown(), runDetail('result')).describe(
      'What that run counted; null for users who may not read the details of the run.',
    ),
    reason: computed('text', z.string().nullable(), runDetail('error_detail')).describe(
      'Why that run failed, if it did; null for users who may not read the details of the run.',
    ),
    entities: entities
      .readOnly()
      .describe(
        `The first ${ENTITIES_SHOWN} of the entities that came with it and that you see; all of them are at /files/{id}/entities and in /entities?filter[files]={id}.`,
      ),
    workspaces: refs('workspaces', 'file_workspaces').describe('Whoever sees one of them sees the file.'),
    source: ref('sources')
      .nullable()
      .describe(
        'The source that imported intelligence is assigned to: that of one of your groups. Default: your first group.',
      ),
    csv_mapping: ref('csv_mappings').nullable().describe('How the columns of a CSV file are read.'),
    inline_csv_mapping: json(inlineCsvMapping).nullable().describe('The same, for this file alone.'),
    password: secret().describe('Opens an archive; forgotten once the archive was read.'),
    tags: strings(string(1, 500)).describe('Added to the entities that it brings.'),
    tlp_color: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
      'Of what it brings, where the file itself says nothing of it.',
    ),
    sha256: new Field({ ...text().hidden().props }),
    owner: ref('users').nullable().hidden(),
    ...stamps,
  },
  places: { 'hashes.md5': hash('md5', 32), 'hashes.sha1': hash('sha1', 40), 'hashes.sha256': hash('key', 64) },
  relations: ['entities'],
  visible: (ctx, t) => sql`(${sql.ref(`${t}.owner`)} = ${ctx.caller.id} or exists (
    select from file_workspaces as v join workspaces as w on w.id = v.target
    where v.source = ${sql.ref(`${t}.id`)} and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'w')}))`,
  search: (ctx, query) => seek(ctx, fileFields, query),
  operations,
  adapted: (route) => (['POST', 'PUT'].includes(route.method) ? uploading(route) : route),
  routes: [fileLimits, downloadFile, processAgain, deleteUploads, ...outcomeRoutes],
  example: { name: 'addresses.txt', content_type: 'text/plain', data: 'U2VlbiBhdCBsb2dpbi5iYW5rLmV4YW1wbGUuCg==' },
})
