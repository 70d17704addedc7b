import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context, Item } from '../engine/context.ts'
import { badRequest, missing } from '../engine/errors.ts'
import type { Incoming, Route } from '../engine/route.ts'
import { resourceOf } from '../engine/select.ts'
import { type Setting, type Stored, store } from './setting.ts'
import { exportObjects } from './transfer/export-objects.ts'
import { asDownload, isPreview, previewed, showChange, shownChange, transferFile } from './transfer/file.ts'
import { install } from './transfer/install.ts'
import { isPortable, PORTABLE, type Portable } from './transfer/portable.ts'

const about = { tag: 'configurations', path: '/configurations/' }

/** Exporting and installing the configuration of an installation. */
export function configurationRoutes(settings: readonly Setting[]): readonly Route[] {
  const exportAll = defineAction({
    ...about,
    name: 'export_configuration',
    doc: 'Export the configuration, or the given `?collections=`, to one file without secrets',
    method: 'GET',
    path: '/configurations/export',
    permission: 'read configurations',
    refusals: [400],
    status: 200,
    run: async (ctx, _, request) => {
      const { wanted, leftOut } = readable(ctx, request)
      const all = new Map(wanted.map((collection) => [collection, 'all' as const]))
      const objects = await exportObjects(ctx, all, namesIn(request) ? 'refuse' : 'leave out')
      const records = hasSettings(request) ? await storedSettings(ctx, settings) : {}
      return { objects, settings: records, ...(leftOut.length > 0 && { left_out: leftOut }) }
    },
    answer: (content) => asDownload(content, 'configuration'),
  })

  const installAll = defineAction({
    ...about,
    name: 'install_configuration',
    doc: 'Install configuration from a file; with `?preview=true`, only report what would change',
    method: 'POST',
    changesCallers: true,
    path: '/configurations/install',
    permission: 'modify configurations',
    body: transferFile,
    example: {
      format: 'corvus-configuration',
      version: 1,
      objects: { roles: [{ name: 'Night shift', permissions: ['read tickets'] }] },
    },
    result: z.object({ changes: z.array(shownChange), settings: z.array(changedSetting) }),
    run: async (ctx, file, request) => {
      const isOnly = isPreview(request)
      return previewed(ctx.db, isOnly, async () => ({
        changes: (await install(ctx, file.objects)).map((change) => showChange(ctx, change, isOnly)),
        settings: await installSettings(ctx, settings, file.settings),
      }))
    },
  })

  return [exportAll, installAll]
}

const changedSetting = z.object({ name: z.string(), action: z.enum(['update', 'unchanged']) })

type Collection = Portable['collection']

const namesIn = ({ query }: Incoming): string[] | undefined =>
  query.collections?.flatMap((text) => text.split(',')).map((name) => name.trim().replaceAll('-', '_'))

/** Settings are not a collection, but part of a full export. */
const hasSettings = (request: Incoming): boolean => namesIn(request)?.includes('settings') ?? true

function wantedIn(request: Incoming): Collection[] {
  const names = namesIn(request)
  if (!names) return PORTABLE.map(({ collection }) => collection)
  const unknown = names.filter((name) => !isPortable(name) && name !== 'settings')
  if (unknown.length > 0) {
    const known = [...PORTABLE.map(({ collection }) => collection), 'settings'].join(', ')
    throw badRequest(unknown.map((name) => `collections: '${name}' cannot be exported; available are ${known}`))
  }
  return names.filter(isPortable)
}

/**
 * The requested collections that the caller may read. A collection requested by name is exported in full or refused;
 * a full export lists what it left out.
 */
function readable(ctx: Context, request: Incoming): { wanted: Collection[]; leftOut: Collection[] } {
  const wanted = wantedIn(request)
  const permissionOf = (collection: Collection) => `read ${resourceOf(ctx, collection).permission}`
  const mayRead = (collection: Collection) => ctx.caller.permissions.has(permissionOf(collection))
  const leftOut = wanted.filter((collection) => !mayRead(collection))
  if (leftOut.length > 0 && namesIn(request)) throw missing(leftOut.map(permissionOf))
  return { wanted: wanted.filter(mayRead), leftOut }
}

/** The records that have been set, without their secrets. */
async function storedSettings(ctx: Context, settings: readonly Setting[]): Promise<Record<string, Item>> {
  const values = await loadAll(ctx, settings)
  return Object.fromEntries(
    settings.flatMap((setting) => {
      const value = values.get(setting.name)
      return value ? [[setting.name, openPart(setting, value)]] : []
    }),
  )
}

async function loadAll({ db }: Context, settings: readonly Setting[]): Promise<ReadonlyMap<string, Item>> {
  const names = settings.map(({ name }) => name)
  const { rows } = await sql<Stored & { name: string }>`
    select name, value from settings where name = any(${names}) order by name`.execute(db)
  return new Map(rows.map(({ name, value }) => [name, value]))
}

const openPart = ({ secrets = [], inForce }: Setting, value: Item): Item =>
  Object.fromEntries(Object.entries(inForce.parse(value)).filter(([name]) => !(secrets as string[]).includes(name)))

/** Sets the records that differ. Existing secrets are kept. */
async function installSettings(
  ctx: Context,
  settings: readonly Setting[],
  sent: Readonly<Record<string, Item>>,
): Promise<z.output<typeof changedSetting>[]> {
  const known = new Map(settings.map((setting) => [setting.name, setting]))
  const unknown = Object.keys(sent).filter((name) => !known.has(name))
  if (unknown.length > 0) throw badRequest(unknown.map((name) => `settings.${name}: unknown record`))
  const values = await loadAll(ctx, settings)
  const changed: z.output<typeof changedSetting>[] = []
  for (const [name, value] of Object.entries(sent)) {
    const setting = known.get(name)
    if (!setting) continue
    const current = openPart(setting, values.get(name) ?? {})
    const isSame = isDeepStrictEqual({ ...current, ...value }, current)
    if (!isSame) await store(ctx, setting, (before) => ({ ...before, ...value }), ['settings', name])
    changed.push({ name, action: isSame ? 'unchanged' : 'update' })
  }
  return changed
}
