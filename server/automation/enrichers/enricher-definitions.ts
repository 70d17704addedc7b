import { sql } from 'kysely'
import { z } from 'zod'
import type { Context, Item } from '../../engine/context.ts'
import type { Operations } from '../../engine/definition.ts'
import { badRequest, conflict } from '../../engine/errors.ts'
import { computed, json, text } from '../../engine/field.ts'
import type { Id } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { standard } from '../../engine/standard.ts'
import { DEFINED } from './find-function.ts'
import { functionNamed, parseDefinition } from './functions/functions.ts'

const NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/

export const enricherDefinitions = defineResource({
  collection: 'enricher_definitions',
  title: 'Enricher definition',
  doc: 'A function that calls a service, defined in JSON. Enrichers use it as `http:` and its name.',
  permission: 'enrichers',
  key: ['name'],
  fields: {
    name: text()
      .accepts(z.string().regex(NAME, 'must be at most 100 lower-case letters, digits, hyphens and underscores'))
      .required(),
    description: text(0, 10_000).default(''),
    definition: json(z.record(z.string(), z.unknown()))
      .required()
      .describe(
        'What to ask the service, and where the findings stand in its answer; see `docs/enricher-definitions.md`.',
      ),
    function: computed('text', z.string(), `'${DEFINED}' || t.name`).describe('The name of the function.'),
    ...stamps,
  },
  example: {
    name: 'reputation',
    definition: {
      title: 'Reputation',
      base: 'https://reputation.example',
      parameters: { api_key: { kind: 'secret', title: 'API key' } },
      headers: { 'x-api-key': '{api_key}' },
      requests: [{ types: ['ipv4', 'domain'], path: '/v1/reputation/{value}' }],
      findings: [{ kind: 'verdict', value: 'score', thresholds: { high: 75, medium: 25 } }],
    },
  },
  operations: {
    ...standard,
    create: async (ctx, resource, item: Item) => {
      refuseFaults([item])
      return standard.create(ctx, resource, item)
    },
    upsert: async (ctx, resource, items: Item[]) => {
      refuseFaults(items)
      const names = items.map(({ name }) => name)
      const { rows } = await sql<{ id: number }>`
        select id from enricher_definitions where name = any(${names}::text[])`.execute(ctx.db)
      const ids = rows.map(({ id }) => id)
      return guarded(ctx, ids, () => standard.upsert(ctx, resource, items))
    },
    update: (ctx, resource, id, patch: Item) =>
      guarded(ctx, [id], async () => {
        const row = await standard.update(ctx, resource, id, patch)
        refuseFaults([row])
        return row
      }),
    remove: async (ctx, resource, ids) => {
      await refuseUsed(ctx, ids)
      await standard.remove(ctx, resource, ids)
    },
  } satisfies Operations,
})

function refuseFaults(items: readonly Item[]): void {
  const faults = items.flatMap((item, i) => {
    const where = items.length > 1 ? `[${i}].` : ''
    const name = String(item.name)
    if (functionNamed(`${DEFINED}${name}`)) return [`${where}name: '${name}' is a function of the platform`]
    const parsed = parseDefinition(name, item.definition)
    return 'faults' in parsed ? parsed.faults.map((fault) => `${where}${fault}`) : []
  })
  if (faults.length > 0) throw badRequest(faults)
}

interface Before {
  readonly id: number
  readonly name: string
  readonly text: string
}

/** Runs a change, and refuses it if stored secrets could then reach a server that they were not given for. */
async function guarded<T>(ctx: Context, ids: readonly Id[], write: () => Promise<T>): Promise<T> {
  const read = async () => {
    const { rows } = await sql<Before>`
      select id, name, definition::text as text from enricher_definitions
      where id = any(${ids}::integer[]) order by id for update`.execute(ctx.db)
    return rows
  }
  const before = await read()
  const result = await write()
  const after = new Map((await read()).map((row) => [row.id, row]))
  const changed = before.filter(({ id, name, text }) => after.get(id)?.name !== name || after.get(id)?.text !== text)
  const functions = changed.map(({ name }) => `${DEFINED}${name}`)
  const { rows } = await sql<{ name: string }>`
    select name from enrichers
    where enricher = any(${functions}::text[]) and parameter_secrets is not null order by name`.execute(ctx.db)
  if (rows.length > 0) {
    const names = rows.map(({ name }) => `'${name}'`).join(', ')
    throw conflict(
      `The enrichers ${names} use the definition with secrets, which the change could send elsewhere: remove their secrets first.`,
    )
  }
  return result
}

async function refuseUsed(ctx: Context, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select e.name from enricher_definitions as d join enrichers as e on e.enricher = ${DEFINED} || d.name
    where d.id = any(${ids}::integer[])
    order by e.name`.execute(ctx.db)
  if (rows.length > 0) {
    throw conflict(`The enrichers ${rows.map(({ name }) => `'${name}'`).join(', ')} use the definition.`)
  }
}
