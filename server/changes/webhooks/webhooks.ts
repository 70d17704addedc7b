import { sql } from 'kysely'
import { z } from 'zod'
import { SYSTEM_ADMIN } from '../../domain/permissions.ts'
import { isWebAddress } from '../../domain/web-address.ts'
import { bool, computed, int, name, secret, string, strings, text, timestamp } from '../../engine/field.ts'
import { type Condition, defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { storedQuery } from '../../intelligence/queries/stored-query.ts'
import { KINDS } from '../streams/events.ts'
import { SEARCHED, STREAMED } from '../streams/streamed.ts'
import { deliveryRoutes } from './deliveries.ts'
import { operations } from './operations.ts'

const address = string(1, 2000).refine(isWebAddress, 'must be an http or https URL without a password')

const isAdministrator: Condition = ({ caller }) => sql`exists (
  select from role_users as l join roles as r on r.id = l.source
  where l.target = ${caller.id} and r.name = ${SYSTEM_ADMIN} and r.is_system)`

export const webhooks = defineResource({
  collection: 'webhooks',
  title: 'Webhook',
  doc: 'An address that is called with what becomes of objects, as far as the user who made the webhook may see them.',
  key: ['name'],
  fields: {
    name: name(),
    url: text()
      .accepts(address.meta({ format: 'uri' }))
      .required()
      .describe('Where POST requests go; redirects are not followed.'),
    is_active: bool()
      .default(true)
      .describe('Setting it to true also lifts a suspension; nothing was missed meanwhile.'),
    collections: strings(z.enum(STREAMED))
      .accepts(z.array(z.enum(STREAMED)).min(1))
      .default(['entities', 'observables', 'relationships'])
      .describe('Its owner must be allowed to read them.'),
    kinds: strings(z.enum(KINDS))
      .accepts(z.array(z.enum(KINDS)).min(1))
      .default([...KINDS]),
    query: text()
      .accepts(storedQuery)
      .nullable()
      .describe(
        `A Lucene query, where the one collection is one of: ${SEARCHED.join(', ')}. Deletions are told anyway.`,
      ),
    include_object: bool()
      .default(false)
      .describe('Whether events have the object as it is when it is told, as `data`.'),
    secret: secret()
      .accepts(string(16, 500).nullable())
      .boundTo('url')
      .describe(
        'What requests are signed with. Absent in a new webhook, or set to null later on, one is made. An address on another server needs another one.',
      ),
    new_secret: computed('text', z.string().nullable(), 'null::text').describe(
      'The secret in the one answer to the request that made it; null ever after.',
    ),
    last_delivery_at: timestamp().nullable().readOnly(),
    last_status: int().nullable().readOnly().describe('What the receiver answered last; null when it did not.'),
    failing_since: timestamp().nullable().readOnly(),
    suspended_at: timestamp().nullable().readOnly().describe('Since when nothing is tried any more.'),
    suspended_reason: text().nullable().readOnly(),
    ...stamps,
  },
  example: { name: 'SIEM', url: 'https://siem.example/corvus', collections: ['entities'], query: 'type:indicator' },
  visible: (ctx, t) => sql`(${sql.ref(`${t}.created_by`)} = ${ctx.caller.id} or ${isAdministrator(ctx, t)})`,
  operations,
  routes: deliveryRoutes,
})
