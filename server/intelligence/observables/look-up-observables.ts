import { sql } from 'kysely'
import { z } from 'zod'
import { type Pasted, readPasted } from '../../domain/observables/pasted.ts'
import { defineAction } from '../../engine/action.ts'
import { badRequest } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { maliciousness } from './sight.ts'

const LONGEST = 5_000_000
const MOST = 10_000
const MOST_UNREAD = 1_000

const indicator = z.object({ type: z.string(), value: z.string() })

const known = indicator.extend({
  id: z.int(),
  maliciousness: z.string(),
  entities_count: z.int().describe('How many entities have it that you see.'),
})

const result = z.object({
  known: z.array(known).describe('What there is of these values, under any type; the most malicious first.'),
  unknown: z.array(indicator).describe('The others, with the type that they look like.'),
  unread: z.array(z.string()).describe(`Lines that nothing could be made of; the first ${MOST_UNREAD}.`),
})
type LookedUp = z.output<typeof result>

/** Tells of a pasted list what of it is known: for who is sent one and wants to know at once. */
export const lookUpObservables = defineAction({
  name: 'look_up_observables',
  doc: 'Tell of a list or a text which observables in it are known, and which are not; nothing of it is stored',
  tag: 'observables',
  method: 'POST',
  path: '/observables/look-up',
  permission: 'read extracts',
  // Reads alone: there is nothing to hold together.
  isDetached: true,
  body: z.object({ text: string(1, LONGEST).describe(`One in each line, or any text; up to ${MOST} of them.`) }),
  example: { text: 'evil[.]example\n192.0.2.1\nd41d8cd98f00b204e9800998ecf8427e' },
  result,
  run: (ctx, { text }) => lookUp(ctx, text),
})

async function lookUp(ctx: Context, text: string): Promise<LookedUp> {
  const { indicators, unread } = await readPasted(text, { indicators: MOST, unread: MOST_UNREAD })
  if (indicators.length > MOST) throw badRequest(`text: has more than ${MOST} observables in it.`)
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
