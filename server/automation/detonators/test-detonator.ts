import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { conflict, notFound } from '../../engine/errors.ts'
import { masked } from '../enrichers/lanes/masked.ts'
import { type StoredParameters, secretsOf, withSecrets } from '../parameters.ts'
import { DetonatorError } from './adapter.ts'
import { openCall } from './calls.ts'
import { adapterNamed } from './find-adapter.ts'

export const testResult = z.object({
  state: z.enum(['OK', 'FAILED']),
  reason: z.string().nullable().describe('Why it failed, and what to do.'),
  milliseconds: z.number(),
})

const TIMEOUT_MS = 30_000

/** Calls the vendor with the stored parameters of a detonator, which may be inactive or suspended. Nothing is stored, and no sample is sent. */
export async function testDetonator(ctx: Context, id: number): Promise<z.output<typeof testResult>> {
  const { rows } = await sql<StoredParameters & { adapter: string }>`
    select adapter, parameters, parameter_secrets from detonators where id = ${id}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw notFound(id)
  const adapter = adapterNamed(ctx, found.adapter)
  if (!adapter) throw conflict(`There is no adapter '${found.adapter}' in this installation.`)
  const secrets = secretsOf(ctx.vault, found)
  const complete = adapter.parameters.safeParse(withSecrets(found.parameters, secrets))
  if (!complete.success) throw conflict('The parameters of the detonator are not complete.')
  const start = performance.now()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const call = openCall({ server: ctx, parameters: complete.data, signal, check: async () => {} })
  const reason = await adapter.check(call).then(
    () => null,
    (error) => reasonOf(error, signal),
  )
  return {
    state: reason === null ? 'OK' : 'FAILED',
    reason: reason === null ? null : masked(reason, Object.values(secrets)),
    milliseconds: Math.round((performance.now() - start) * 10) / 10,
  }
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof DetonatorError) return error.message
  if (signal.aborted) return `The vendor did not answer within ${TIMEOUT_MS / 1000} seconds.`
  throw error
}
