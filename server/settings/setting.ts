import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { parseBody } from '../engine/action.ts'
import { faultsOf, messageOf } from '../engine/body.ts'
import { GIVE_AGAIN } from '../engine/bound-secrets.ts'
import type { Context, Item } from '../engine/context.ts'
import { badRequest } from '../engine/errors.ts'
import { PASS_THROUGH } from '../engine/field-class.ts'
import { AUTHOR, authorOf } from '../engine/log.ts'
import { merge } from '../engine/merge.ts'
import type { Method, Route } from '../engine/route.ts'
import { refuseUnstorable } from '../engine/storable.ts'

/** A configuration record: its name, used in the path and in `type`, and its fields with their defaults. */
interface Definition<S extends z.ZodObject> {
  readonly name: string
  readonly doc: string
  /** The fields that can be set. A field without a default is required, and null until set. */
  readonly schema: S
  /** Fields with a default that cannot be set to null. */
  readonly required?: readonly (keyof z.output<S> & string)[]
  /** Fields that are stored sealed, returned as a placeholder, and kept when the placeholder is sent. */
  readonly secrets?: readonly (keyof z.output<S> & string)[]
  /** The recipients of the secrets. A stored secret is not kept if it would reach a new recipient. */
  secretsGoTo?(value: z.output<S>): readonly unknown[]
  /** Fields that are accepted on input but neither stored nor returned. */
  readonly writeOnly?: readonly (keyof z.output<S> & string)[]
  /** Additional fields that are returned but cannot be set. */
  readonly readOnly?: z.ZodObject
  /** Converts the input to the stored value. Fields it adds are returned if they are read-only. */
  toStored?(ctx: Context, value: z.output<S>, current: Item): Promise<Item>
}

export interface Setting<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** Parses the stored value and fills in defaults. */
  readonly inForce: z.ZodObject
}

/** The effective value: required fields are null until set, and secrets are sealed. */
export type InForce<S extends z.ZodObject> = {
  readonly [K in keyof z.output<S>]: undefined extends z.input<S>[K & keyof z.input<S>]
    ? z.output<S>[K]
    : z.output<S>[K] | null
}

export function defineSetting<S extends z.ZodObject>(definition: Definition<S>): Setting<S> {
  const { schema, secrets = [], writeOnly = [] } = definition
  const kept = Object.entries<z.ZodType>(schema.shape).filter(([name]) => !(writeOnly as string[]).includes(name))
  const shape = kept.map(([name, field]): [string, z.ZodType] => {
    if ((secrets as readonly string[]).includes(name)) return [name, z.string().nullable().default(null)]
    const isRequired = !field.safeParse(undefined).success
    return [name, isRequired ? field.nullable().default(null) : field]
  })
  return { ...definition, inForce: z.object(Object.fromEntries(shape)) }
}

export interface Stored {
  readonly value: Item
  readonly last_updated_at: string | null
}

/** The effective values of several records, in one statement. */
export async function readSettings<T extends Record<string, Setting>>(
  db: Kysely<unknown>,
  settings: T,
): Promise<{ readonly [K in keyof T]: InForce<T[K]['schema']> }> {
  const names = Object.values(settings).map(({ name }) => name)
  const { rows } = await sql<{ name: string; value: Item }>`
    select name, value from settings where name = any(${names})`.execute(db)
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const read = Object.entries(settings).map(([key, { name, inForce }]) => [key, inForce.parse(values.get(name) ?? {})])
  return Object.fromEntries(read)
}

/** The effective value of one record. */
export async function readSetting<S extends z.ZodObject>(
  db: Kysely<unknown>,
  { name, inForce }: Setting<S>,
): Promise<InForce<S>> {
  const { rows } = await sql<Stored>`select value from settings where name = ${name}`.execute(db)
  return inForce.parse(rows[0]?.value ?? {}) as InForce<S>
}

/** The endpoints of a configuration record: get, update, replace. */
export function settingRoutes(setting: Setting): Route[] {
  const { name, doc } = setting
  const route = (method: Method, verb: string, run: (ctx: Context, sent: Item) => Promise<Stored>): Route => ({
    method,
    path: `/configurations/${name}`,
    permission: `${method === 'GET' ? 'read' : 'modify'} configurations`,
    ...(method !== 'GET' && { changesCallers: true }),
    get doc() {
      const schema = sentSchema(setting)
      return {
        operationId: `${verb}_configuration_${name.replaceAll('-', '_')}`,
        summary: `Configuration: ${doc}`,
        tag: 'configurations',
        ...(method !== 'GET' && { body: z.object({ data: verb === 'set' ? schema : schema.partial() }) }),
        refusals: method === 'GET' ? [] : [400],
        success: { 200: z.object({ data: shownSchema(setting) }) },
      }
    },
    parse: (request) => (method === 'GET' ? {} : parseBody(sentRecord, request.body)),
    run,
    answer: (stored: Stored) => ({ status: 200, body: { data: shown(setting, stored) } }),
  })
  return [
    route('GET', 'get', (ctx) => load(ctx, setting)),
    route('PATCH', 'update', (ctx, patch) => store(ctx, setting, (current) => merge(current, patched(setting, patch)))),
    route('PUT', 'set', (ctx, value) => store(ctx, setting, () => value)),
  ]
}

/** Applies a patch, which cannot set required fields to null. */
function patched({ required = [] }: Setting, patch: Item): Item {
  const faults = (required as readonly string[]).filter((name) => patch[name] === null)
  if (faults.length > 0) throw badRequest(faults.map((name) => `data.${name}: must not be null`))
  return patch
}

/** The input schema of a record, with its secret fields marked. */
export function sentSchema({ schema, secrets = [], writeOnly = [] }: Setting): z.ZodObject {
  const hidden: readonly string[] = [...secrets, ...writeOnly]
  const shape = Object.entries<z.ZodType>(schema.shape).map(([name, field]) => [
    name,
    hidden.includes(name) ? field.meta({ ...field.meta(), format: 'password' }) : field,
  ])
  return z.object(Object.fromEntries(shape))
}

/** A record as received, before its own schema parses it. */
export const sentRecord = z.looseObject({}).check(refuseUnstorable)

/** The output schema of a record. */
export const shownSchema = ({ name, inForce, readOnly }: Setting): z.ZodObject =>
  inForce.extend({ ...readOnly?.shape, type: z.literal(name), last_updated_at: z.string().nullable() })

/** A record as returned, with placeholders for secrets. */
export function shown(setting: Setting, { value, last_updated_at }: Stored, rest: Item = {}): Item {
  const { name, inForce, readOnly } = setting
  const fields = { ...inForce.parse(value), ...tokensFor(setting, value) }
  return { type: name, ...fields, ...readOnly?.parse({ ...value, ...rest }), last_updated_at }
}

const tokensFor = ({ secrets = [] }: Setting, value: Item): Item =>
  Object.fromEntries(secrets.map((name) => [name, value[name] ? PASS_THROUGH : null]))

/** A record that has not been set yet. */
export const NOTHING: Stored = { value: {}, last_updated_at: null }

async function load({ db }: Pick<Context, 'db'>, { name }: Setting): Promise<Stored> {
  const { rows } = await sql<Stored>`select value, last_updated_at from settings where name = ${name}`.execute(db)
  return rows[0] ?? NOTHING
}

/** Stores the result of `change`, which receives the record as returned to clients. */
export async function store(
  ctx: Context,
  setting: Setting,
  change: (current: Item) => unknown,
  at: readonly string[] = ['data'],
): Promise<Stored> {
  const { name, schema, toStored } = setting
  // Concurrent changes must not overwrite each other.
  await sql`select pg_advisory_xact_lock(hashtext('settings'), hashtext(${name}))`.execute(ctx.db)
  const { value: current } = await load(ctx, setting)
  const parsed = schema.safeParse(change({ ...current, ...tokensFor(setting, current) }), { error: messageOf })
  if (!parsed.success) throw badRequest(faultsOf(parsed.error, [...at]))
  refuseMovedSecrets(setting, current, parsed.data, at)
  const settled = without(toStored ? await toStored(ctx, parsed.data, current) : parsed.data, setting.writeOnly)
  const value = { ...settled, ...sealed(ctx, setting, settled, current) }
  const details = JSON.stringify({ [name]: differences(setting, current, value) })
  const { rows } = await sql<Stored>`
    with logged as (
      insert into changes (${AUTHOR}, resource, kind, ids, details)
      values (${authorOf(ctx)}, 'settings', 'update', array[${name}], ${details}::jsonb)
    )
    insert into settings (name, value, last_updated_by)
    values (${name}, ${JSON.stringify(value)}::jsonb, nullif(${ctx.caller.id}::integer, 0))
    on conflict (name) do update
    set value = excluded.value, last_updated_at = now(), last_updated_by = excluded.last_updated_by
    returning value, last_updated_at`.execute(ctx.db)
  if (!rows[0]) throw new TypeError(`${name}: the setting was not stored.`)
  return rows[0]
}

/** Refuses to keep secrets that would be sent to a server they were not entered for. */
function refuseMovedSecrets(setting: Setting, current: Item, value: Item, at: readonly string[]): void {
  const { secrets = [], secretsGoTo, inForce } = setting
  const kept = secrets.filter((name) => value[name] === PASS_THROUGH && current[name])
  if (!secretsGoTo || kept.length === 0) return
  const known = new Set(secretsGoTo(inForce.parse(current)))
  if (secretsGoTo(value).every((reader) => known.has(reader))) return
  throw badRequest(kept.map((name) => `${[...at, name].join('.')}: ${GIVE_AGAIN}`))
}

/** The changed fields of a record for the history. Secrets are only marked as changed. */
function differences(
  { inForce, secrets = [] }: Setting,
  current: Item,
  value: Item,
): Record<string, [unknown, unknown]> {
  const [before, after] = [inForce.parse(current), inForce.parse(value)]
  const changed = Object.keys(inForce.shape).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const shownOf = (name: string, read: unknown) =>
    read !== null && (secrets as readonly string[]).includes(name) ? PASS_THROUGH : (read ?? null)
  return Object.fromEntries(changed.map((name) => [name, [shownOf(name, before[name]), shownOf(name, after[name])]]))
}

const without = (value: Item, names: readonly string[] = []): Item =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/** Seals the secrets for storage. An empty secret counts as none. */
function sealed({ vault }: Context, { secrets = [] }: Setting, value: Item, current: Item): Item {
  const secretOf = (name: string): unknown => {
    const sent = value[name]
    if (sent === PASS_THROUGH) return current[name] ?? null
    return typeof sent === 'string' && sent !== '' ? vault.seal(sent) : null
  }
  return Object.fromEntries(secrets.map((name) => [name, secretOf(name)]))
}
