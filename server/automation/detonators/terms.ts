import { hash } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { originOf } from '../../engine/bound-secrets.ts'
import type { Item } from '../../engine/context.ts'
import type { Server } from '../../server.ts'
import type { Adapter } from './adapter.ts'
import { adaptersOf } from './find-adapter.ts'

/** Terms as they are shown. */
export const shownTerms = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string().nullable(),
})

/** Identifies the terms of an adapter as they are at present. */
export const digestOf = ({ terms }: Adapter): string => hash('sha256', JSON.stringify(terms))

/** The servers that parameters name: consent to send samples to one is no consent to send them to another. */
export const serversIn = (parameters: Item): string[] =>
  [...new Set(Object.values(parameters).flatMap((value) => originOf(value) ?? []))]
    .filter((origin) => origin !== 'null')
    .sort()

/** Whether a user has accepted the present terms of the detonator `alias`, for the servers that it uses now. */
export const hasConsented = (
  server: Pick<Server, 'sandboxes'>,
  user: RawBuilder<unknown>,
  alias = 't',
): RawBuilder<SqlBool> => {
  const bound = adaptersOf(server).filter(({ terms }) => terms.length > 0)
  const digests = JSON.stringify(Object.fromEntries(bound.map((adapter) => [adapter.name, digestOf(adapter)])))
  const free = adaptersOf(server).flatMap(({ name, terms }) => (terms.length === 0 ? [name] : []))
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${column('adapter')} = any(${free}::text[]) or exists (
    select from detonator_consents as accepted
    where accepted.detonator = ${column('id')} and accepted."user" = ${user} and accepted.servers = ${column('servers')}
      and accepted.digest = (${digests}::jsonb ->> ${column('adapter')})))`
}
