import { csvExport } from '../engine/csv-export.ts'
import { int, real, ref, text, timestamp } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import type { Route } from '../engine/route.ts'
import { readOnly } from '../engine/standard.ts'

export const auditTrail = defineResource({
  collection: 'audit_trail',
  title: 'Audit entry',
  doc: 'Who called what, when, from where, and with what result. The id is that of the request, as in X-Request-Id.',
  key: ['id'],
  fields: {
    at: timestamp().stamped('created-at').describe('When the request arrived.'),
    user: ref('users').nullable().readOnly().describe('Who called; null when nobody was signed in.'),
    username: text().nullable().readOnly().describe('What they were called then.'),
    method: text().readOnly(),
    route: text().readOnly().describe('The path with names in place of ids; empty where there is no such path.'),
    path: text().readOnly().describe('Without its query.'),
    status: int().readOnly(),
    address: text().readOnly(),
    user_agent: text().readOnly(),
    milliseconds: real().readOnly(),
  },
  operations: readOnly,
})

export const auditTrailRoutes: readonly Route[] = [csvExport(auditTrail, '/audit-trail')]
