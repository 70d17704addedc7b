import { sql } from 'kysely'
import { z } from 'zod'
import { type Pasted, readPasted } from '../../domain/observables/pasted.ts'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { maliciousness } from './sight.ts'

const MAX_TEXT_LENGTH = 5_000_000
const MAX_OBSERVABLES = 10_000
const MAX_UNREAD_LINES = 1_000

const indicator = z.object({ type: z.string(), value: z.string() })

const known = indicator.extend({
  id: z.int(),
  maliciousness: z.string(),
  entities_count: z.int().describe('The number of visible entities that have it.'),
})

const result = z.object({
  known: z.array(known).describe('Observables with these values, of any type, the most malicious first.'),
  unknown: z.array(indicator).describe('The other values, with the type that they look like.'),
  unread: z.array(z.string()).describe(`Lines that could not be read, at most ${MAX_UNREAD_LINES}.`),
})
type LookedUp = z.output<typeof result>

/** Checks a pasted list for known observables, so that analysts can triage it without importing it. */
export const lookUpObservables = defineAction({
  name: 'look_up_observables',
  doc: 'Find out which observables in a list or text are known, without storing anything',
  tag: 'observables',
  method: 'POST',
  path: '/observables/look-up',
  permission: 'read extracts',
  // Only reads, so that it needs no transaction.
  isDetached: true,
  body: z.object({
    text: string(1, MAX_TEXT_LENGTH).describe(
      `One observable per line, or any text with at most ${MAX_OBSERVABLES} observables.`,
    ),
  }),
  example: { text: 'evil[.]example\n192.0.2.1\nd41d8cd98f00b204e9800998ecf8427e' },
  result,
  run: (ctx, { text }) => lookUp(ctx, text),
})

async function lookUp(ctx: Context, text: string): Promise<LookedUp> {
  const { indicators, unread } = await readPasted(text, { indicators: MAX_OBSERVABLES, unread: MAX_UNREAD_LINES })
  if (indicators.length > MAX_OBSERVABLES) throw badRequest(`text: has more than ${MAX_OBSERVABLES} observables.`)
  const found = await findKnown(ctx, indicators)
  const values = new Set(found.map(({ value }) => value))
  return {
    known: found,
    unknown: indicators.filter(({ value }) => !values.has(value)),
    unread: [...unread],
  }
}

async function findKnown(ctx: Context, indicators: readonly Pasted[]): Promise<LookedUp['known']> {
  const values = [...new Set(indicators.map(({ value }) => value))]
  const { rows } = await sql<LookedUp['known'][number]>`
    select t.id, t.type, t.value, ${maliciousness(ctx, 't')} as maliciousness, (
      select count(*)::integer
      from entity_observables as l join entities as e on e.id = l.source
      where l.target = t.id and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}) as entities_count
    from unnest(${values}::text[]) as asked(value)
    join observables as t on observable_key(t.value) collate "C" = observable_key(asked.value) and t.value = asked.value
    where ${visible(ctx, resourceOf(ctx, 'observables'))}
    order by array_position(array['high', 'medium', 'low', 'unknown', 'safe'], ${maliciousness(ctx, 't')}), t.value, t.type`.execute(
    ctx.db,
  )
  return rows
}
