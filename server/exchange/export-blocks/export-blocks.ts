import { sql } from 'kysely'
import { z } from 'zod'
import { computed, int, ref, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { readOnly } from '../../engine/standard.ts'
import { blockFields } from '../block-fields.ts'
import { blockRoutes } from './routes.ts'

export const exportBlocks = defineResource({
  collection: 'export_blocks',
  title: 'Export block',
  doc: 'An exported document. Only the user who exported it can see it, until the retention policy deletes it.',
  key: [],
  // Users who may export must be able to download the result.
  permission: 'entities',
  fields: {
    ...blockFields('/export-blocks', 'true'),
    size: computed('bigint', z.int(), 'select b.size from stored_blobs as b where b.key = t.sha256'),
    sha256: text().readOnly().describe('The hash of the document.'),
    items_count: int().readOnly().describe('How many entities it contains.'),
    is_signed: computed('boolean', z.boolean(), 't.signature is not null'),
    created_at: timestamp().stamped('created-at'),
    created_by: ref('users').nullable().stamped('created-by'),
  },
  visible: (ctx, t) => sql`${sql.ref(`${t}.created_by`)} = ${ctx.caller.id}`,
  operations: readOnly,
  routes: (standard) => [...blockRoutes, ...standard],
})
