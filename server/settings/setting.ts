import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { parseBody } from '../engine/action.ts'
import { faultsOf, messageOf } from '../engine/body.ts'
import { badRequest } from '../engine/errors.ts'
import { merge } from '../engine/merge.ts'
import type { Context, Item } from '../engine/resource.ts'
import type { Method, Route } from '../engine/route.ts'

/** One configuration record: its name in the path and in `type`, its fields with their defaults. */
export interface Setting<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly doc: string
  readonly schema: S
}

export const defineSetting = <S extends z.ZodObject>(setting: Setting<S>): Setting<S> => setting

interface Stored {
  readonly value: Item
  readonly last_updated_at: string | null
}

const select = ({ name }: Setting) => sql<Stored>`select value, last_updated_at from settings where name = ${name}`

/** The record as it is in force: what was set, and the defaults for the rest. */
export async function readSetting<S extends z.ZodObject>(
  db: Kysely<unknown>,
  setting: Setting<S>,
): Promise<z.output<S>> {
  const { rows } = await select(setting).execute(db)
  return setting.schema.parse(rows[0]?.value ?? {})
}

/** The endpoints of a configuration record: read it, change some of it, set all of it. */
export function settingRoutes(setting: Setting): Route[] {
  const { name, doc, schema } = setting
  const shown = schema.extend({ type: z.literal(name), last_updated_at: z.string().nullable() })
  const route = (method: Method, verb: string, run: (ctx: Context, sent: Item) => Promise<Stored>): Route => ({
    method,
    path: `/configurations/${name}`,
    permission: `${method === 'GET' ? 'read' : 'modify'} configurations`,
    doc: {
      operationId: `${verb}_configuration_${name.replaceAll('-', '_')}`,
      summary: `Configuration: ${doc}`,
      tag: 'configurations',
      ...(method !== 'GET' && { body: z.object({ data: schema.partial() }), refusals: [400] }),
      success: { 200: z.object({ data: shown }) },
    },
    parse: (request) => (method === 'GET' ? {} : parseBody(z.looseObject({}), request.body)),
    run,
    answer: ({ value, last_updated_at }: Stored) => ({
      status: 200,
      body: { data: { type: name, ...schema.parse(value), last_updated_at } },
    }),
  })
  return [
    route('GET', 'get', (ctx) => load(ctx, setting)),
    route('PATCH', 'update', async (ctx, patch) => store(ctx, setting, merge((await load(ctx, setting)).value, patch))),
    route('PUT', 'set', (ctx, value) => store(ctx, setting, value)),
  ]
}

async function load({ db }: Context, setting: Setting): Promise<Stored> {
  const { rows } = await select(setting).execute(db)
  return rows[0] ?? { value: {}, last_updated_at: null }
}

async function store({ db, caller }: Context, { name, schema }: Setting, value: unknown): Promise<Stored> {
  const parsed = schema.safeParse(value, { error: messageOf })
  if (!parsed.success) throw badRequest(faultsOf(parsed.error, ['data']))
  const { rows } = await sql<Stored>`
    with logged as (
      insert into changes (user_id, resource, kind, ids)
      values (${caller.id}, 'settings', 'update', array[${name}])
    )
    insert into settings (name, value, last_updated_by)
    values (${name}, ${JSON.stringify(parsed.data)}::jsonb, nullif(${caller.id}::integer, 0))
    on conflict (name) do update
    set value = excluded.value, last_updated_at = now(), last_updated_by = excluded.last_updated_by
    returning value, last_updated_at`.execute(db)
  if (!rows[0]) throw new TypeError(`${name}: the setting was not stored.`)
  return rows[0]
}
