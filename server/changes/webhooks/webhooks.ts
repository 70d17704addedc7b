import { sql } from 'kysely'
import { z } from 'zod'
import { SYSTEM_ADMIN } from '../../domain/permissions.ts'
import { isWebAddress } from '../../domain/web-address.ts'
import type { Condition } from '../../engine/definition.ts'
import { bool, computed, int, name, secret, string, strings, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { storedQuery } from '../../intelligence/queries/stored-query.ts'
import { KINDS } from '../streams/events.ts'
import { SEARCHED, STREAMED } from '../streams/streamed.ts'
import { deliveryRoutes } from './deliveries.ts'
import { webhookOperations } from './webhook-operations.ts'

const address = string(1, 2000).refine(isWebAddress, 'must be an http or https URL without a password')

const isAdministrator: Condition = ({ caller }) => sql`exists (
  select from role_users as l join roles as r on r.id = l.source
  where l.target = ${caller.id} and r.name = ${SYSTEM_ADMIN} and r.is_system)`

export const webhooks = defineResource({
  collection: 'webhooks',
  title: 'Webhook',
  doc: 'An address that receives changes of objects, as far as the user who created the webhook can see them.',
  key: ['name'],
  fields: {
    name: name(),
    url: text()
      .accepts(address.meta({ format: 'uri' }))
      .required()
      .describe('The address of POST requests; redirects are not followed.'),
    is_active: bool()
      .default(true)
      .describe('Setting it to true also lifts a suspension; events since then are delivered.'),
    collections: strings(z.enum(STREAMED))
      .accepts(z.array(z.enum(STREAMED)).min(1))
      .default(['entities', 'observables', 'relationships'])
      .describe('The owner must have permission to read them.'),
    kinds: strings(z.enum(KINDS))
      .accepts(z.array(z.enum(KINDS)).min(1))
      .default([...KINDS]),
    query: text()
      .accepts(storedQuery)
      .nullable()
      .describe(
        `A Lucene query; needs exactly one collection, of: ${SEARCHED.join(', ')}. Deletions are reported regardless of the query.`,
      ),
    include_object: bool().default(false).describe('Whether events contain the current object as `data`.'),
    secret: secret()
      .accepts(string(16, 500).nullable())
      .boundTo('url')
      .describe(
        'Signs requests. Omit it in a new webhook, or set it to null, to generate one. A URL on another server needs another secret.',
      ),
    new_secret: computed('text', z.string().nullable(), 'null::text').describe(
      'The generated secret, only in the response to the request that generated it; otherwise null.',
    ),
    last_delivery_at: timestamp().nullable().readOnly(),
    last_status: int().nullable().readOnly().describe('The last status of the receiver; null if it did not respond.'),
    failing_since: timestamp().nullable().readOnly(),
    suspended_at: timestamp().nullable().readOnly().describe('Since when deliveries have stopped.'),
    suspended_reason: text().nullable().readOnly(),
    ...stamps,
  },
  example: { name: 'SIEM', url: 'https://siem.example/corvus', collections: ['entities'], query: 'type:indicator' },
  visible: (ctx, t) => sql`(${sql.ref(`${t}.created_by`)} = ${ctx.caller.id} or ${isAdministrator(ctx, t)})`,
  operations: webhookOperations,
  routes: (standard) => [...deliveryRoutes, ...standard],
})
