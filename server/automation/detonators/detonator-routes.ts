import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { get, requireVisible } from '../../engine/fetch.ts'
import { string } from '../../engine/field.ts'
import { present } from '../../engine/present.ts'
import { readId } from '../../engine/query.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { circuitOf } from '../circuit.ts'
import type { Adapter } from './adapter.ts'
import { adapterNamed } from './find-adapter.ts'
import { listAdapters, shownAdapter } from './list-adapters.ts'
import { digestOf } from './terms.ts'
import { testDetonator, testResult } from './test-detonator.ts'

const idIn = (ctx: Context, { params }: Incoming): number =>
  Number(readId(resourceOf(ctx, 'detonators'), params.id ?? ''))

async function shown(ctx: Context, id: number) {
  const resource = resourceOf(ctx, 'detonators')
  return present(ctx, resource, await get(ctx, resource, id))
}

/** The endpoints of detonators that are not standard operations. */
export const detonatorRoutes: readonly Route[] = [
  defineAction({
    name: 'list_detonator_adapters',
    doc: 'List the adapters that detonators can use',
    tag: 'detonators',
    method: 'GET',
    path: '/detonators/adapters',
    permission: 'read detonators',
    result: z.array(shownAdapter),
    run: async (ctx) => listAdapters(ctx),
  }),
  defineAction({
    name: 'consent_detonators',
    doc: 'Accept the terms of a detonator for yourself. All of its present terms have to be named',
    tag: 'detonators',
    method: 'POST',
    path: '/detonators/:id/consent',
    permission: 'modify detonations',
    body: z.object({ terms: z.array(string(1, 200)).max(100).describe('The ids of the terms.') }),
    example: { terms: ['samples'] },
    result: z.looseObject({}),
    refusals: [404, 409],
    run: async (ctx, { terms }, request) => {
      const id = idIn(ctx, request)
      await accept(ctx, id, terms)
      return shown(ctx, id)
    },
  }),
  defineAction({
    name: 'withdraw_consent_detonators',
    doc: 'Withdraw your consent to the terms of a detonator. Your samples that it has not received yet are refused',
    tag: 'detonators',
    method: 'DELETE',
    path: '/detonators/:id/consent',
    permission: 'modify detonations',
    refusals: [404],
    run: async (ctx, _, request) => {
      const id = idIn(ctx, request)
      await requireVisible(ctx, resourceOf(ctx, 'detonators'), id)
      await sql`
        delete from detonator_consents where detonator = ${id} and "user" = ${ctx.caller.id}`.execute(ctx.db)
    },
  }),
  defineAction({
    name: 'test_detonators',
    doc: 'Check the address and the credentials of a detonator with one harmless call, without storing anything',
    tag: 'detonators',
    method: 'POST',
    path: '/detonators/:id/test',
    permission: 'modify detonators',
    // Calls the vendor, which may take long.
    isDetached: true,
    result: testResult,
    refusals: [404, 409],
    run: (ctx, _, request) => testDetonator(ctx, idIn(ctx, request)),
  }),
  defineAction({
    name: 'resume_detonators',
    doc: 'End the suspension, wait or open circuit of a detonator, so that it continues at once',
    tag: 'detonators',
    method: 'POST',
    path: '/detonators/:id/resume',
    permission: 'modify detonators',
    result: z.looseObject({}),
    refusals: [404],
    run: async (ctx, _, request) => {
      const id = idIn(ctx, request)
      await requireVisible(ctx, resourceOf(ctx, 'detonators'), id)
      await circuitOf('detonators').resume(ctx.db, [id])
      return shown(ctx, id)
    },
  }),
]

async function accept(ctx: Context, id: number, accepted: readonly string[]): Promise<void> {
  // Locked, so that the consent is for the servers that the detonator has when it is stored.
  const { rows } = await sql<{ adapter: string; servers: string[] }>`
    select adapter, servers from detonators where id = ${id} for share`.execute(ctx.db)
  const [found] = rows
  if (!found) throw notFound(id)
  const adapter = adapterNamed(ctx, found.adapter)
  if (!adapter) throw conflict(`There is no adapter '${found.adapter}' in this installation.`)
  refuseOthers(adapter, accepted)
  await sql`
    insert into detonator_consents (detonator, "user", terms, digest, servers)
    values (${id}, ${ctx.caller.id}, ${accepted}::text[], ${digestOf(adapter)}, ${found.servers}::text[])
    on conflict (detonator, "user") do update
    set terms = excluded.terms, digest = excluded.digest, servers = excluded.servers, accepted_at = now()`.execute(
    ctx.db,
  )
}

function refuseOthers({ terms, title }: Adapter, accepted: readonly string[]): void {
  const ids = terms.map(({ id }) => id)
  const unknown = accepted.filter((id) => !ids.includes(id))
  const missing = ids.filter((id) => !accepted.includes(id))
  const faults = [
    ...unknown.map((id) => `terms: '${id}' is none of the terms of ${title}: ${ids.join(', ')}`),
    ...missing.map((id) => `terms: '${id}' has to be accepted as well`),
  ]
  if (faults.length > 0) throw badRequest(faults)
}
