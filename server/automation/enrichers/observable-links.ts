import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { int, ref, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { readOnly } from '../../engine/standard.ts'
import { holdsKey } from '../../identity/access/sight.ts'

const isSeen = (ctx: Context, id: string) => sql`exists (
  select from observables as about
  where about.id = ${sql.ref(id)} and ${visible(ctx, resourceOf(ctx, 'observables'), 'about')})`

export const observableLinks = defineResource({
  collection: 'observable_links',
  title: 'Observable link',
  doc: 'How an observable is related to another according to an enricher, for example the address that a domain resolves to.',
  key: ['id'],
  permission: 'extracts',
  fields: {
    observable: ref('observables').readOnly(),
    relation: text().readOnly().describe('In lower-case words with hyphens, such as `resolves-to`.'),
    target: ref('observables').readOnly(),
    enricher: ref('enrichers').nullable().readOnly(),
    first_seen: timestamp().nullable().readOnly(),
    last_seen: timestamp().nullable().readOnly(),
    created_at: timestamp().stamped('created-at'),
    vis: int().hidden(),
  },
  visible: (ctx, t) => sql`(
    ${holdsKey(ctx, sql.ref(`${t}.vis`))} and ${isSeen(ctx, `${t}.observable`)} and ${isSeen(ctx, `${t}.target`)})`,
  operations: readOnly,
})
