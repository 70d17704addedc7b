import { csvExport } from '../engine/csv-export.ts'
import { int, real, ref, text, timestamp } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import type { Route } from '../engine/route.ts'
import { readOnly } from '../engine/standard.ts'

export const auditTrail = defineResource({
  collection: 'audit_trail',
  title: 'Audit entry',
  doc: 'Who called which endpoint, when, from where, and with what result. The id is the request id sent as X-Request-Id.',
  key: ['id'],
  fields: {
    at: timestamp().stamped('created-at').describe('When the request arrived.'),
    user: ref('users').nullable().readOnly().describe('The user who called; null for unauthenticated requests.'),
    username: text().nullable().readOnly().describe('The username at the time of the request.'),
    method: text().readOnly(),
    route: text().readOnly().describe('The route, with parameter names in place of ids; empty if no route matched.'),
    path: text().readOnly().describe('The requested path without its query string.'),
    status: int().readOnly(),
    address: text().readOnly(),
    user_agent: text().readOnly(),
    milliseconds: real().readOnly(),
  },
  operations: readOnly,
})

export const auditTrailRoutes: readonly Route[] = [csvExport(auditTrail, '/audit-trail')]
