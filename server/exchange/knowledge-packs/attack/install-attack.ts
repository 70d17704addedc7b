import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { z } from 'zod'
import { ATTACK_PACK, ATTACK_PACK_PERMISSIONS } from '../../../domain/attack-pack.ts'
import { textFrom } from '../../../domain/text-from.ts'
import { defineAction } from '../../../engine/action.ts'
import type { Context } from '../../../engine/context.ts'
import { badRequest, missing } from '../../../engine/errors.ts'
import { link } from '../../../engine/link.ts'
import { type Id, toUrl } from '../../../engine/reference.ts'
import { retried } from '../../../engine/retried.ts'
import { resourceOf } from '../../../engine/select.ts'
import { standard } from '../../../engine/standard.ts'
import { DocumentError } from '../../../formats/document.ts'
import { blobsOf, keepBlobs } from '../../../intelligence/stored-blobs/store.ts'
import { requireFiles } from '../../files/remove-uploads.ts'
import { noteInstalled } from '../installed.ts'
import { type Adversaries, readAdversaries } from './adversaries.ts'
import { adversaryBundle } from './adversary-bundle.ts'
import { adversariesOf, readAdversaryFacts } from './adversary-facts.ts'

const DESCRIPTION =
  'Groups, software and campaigns as entities, classified with the techniques that they use. Uninstalling the pack deletes the entities that came only with it.'
const MAX_BUNDLES = 10

export const installAttackPack = defineAction({
  name: 'install_attack_pack',
  doc: 'Install the groups, software and campaigns of ATT&CK as entities, from the facts that came with Corvus or from official bundles',
  tag: 'knowledge_packs',
  method: 'POST',
  path: '/knowledge-packs/attack/install',
  permission: 'install knowledge-packs',
  isDetached: true,
  body: z.object({
    files: z
      .array(link('files').transform(({ id }) => Number(id)))
      .max(MAX_BUNDLES)
      .default([])
      .describe('Uploaded official bundles, one for each domain, with descriptions. Without any: names and ids only.'),
  }),
  example: { files: [] },
  result: z.object({ knowledge_pack: z.url(), file: z.url(), task_run: z.url().nullable() }),
  status: 202,
  refusals: [403, 404],
  run: async (ctx, { files }) => {
    const lacking = ATTACK_PACK_PERMISSIONS.filter((permission) => !ctx.caller.permissions.has(permission))
    if (lacking.length > 0) throw missing(lacking)
    const adversaries = files.length > 0 ? await adversariesIn(ctx, files) : adversariesOf(await readAdversaryFacts())
    await using draft = await blobsOf(ctx).receive(Readable.from(adversaryBundle(adversaries)), ctx.largestFile)
    await keepBlobs(ctx, [draft])
    const { sha256 } = draft
    // Before the transaction begins, so that it does not wait for the disk.
    await draft[Symbol.asyncDispose]()
    const install = () =>
      ctx.db.transaction().execute((db) => installed({ ...ctx, db, lookup: undefined }, adversaries, sha256))
    return retried(install)
  },
})

async function adversariesIn(ctx: Context, files: readonly Id[]): Promise<Adversaries> {
  await requireFiles(ctx, files)
  const { rows } = await sql<{ name: string; sha256: string; size: number }>`
    select t.name, t.sha256, b.size
    from files as t join stored_blobs as b on b.key = t.sha256
    where t.id = any(${files}::integer[])
    order by t.id`.execute(ctx.db)
  try {
    return await readAdversaries(
      rows.map(({ name, sha256, size }) => ({ name, size, open: () => blobsOf(ctx).open(sha256) })),
    )
  } catch (error) {
    throw error instanceof DocumentError ? badRequest(`files: ${error.message}`) : error
  }
}

/** Stores the pack and the file with its entities, and starts the import of the file. */
async function installed(ctx: Context, { version, adversaries }: Adversaries, sha256: string) {
  const packs = resourceOf(ctx, 'knowledge_packs')
  const about = { name: ATTACK_PACK, description: DESCRIPTION, version: version ?? newestDay(adversaries) }
  const { rows, created } = await standard.upsert(ctx, packs, [about])
  const pack = rows[0]?.id ?? 0
  const files = resourceOf(ctx, 'files')
  const name = `mitre-attack-${about.version}.json`
  const file = await files.operations.create?.(ctx, files, { name, content_type: 'application/json', sha256 })
  if (!file || Array.isArray(file)) throw new TypeError('The file of the knowledge pack was not stored.')
  await noteInstalled(ctx, pack, [
    { collection: 'knowledge_packs', id: pack, name: ATTACK_PACK, action: created > 0 ? 'create' : 'unchanged' },
    { collection: 'files', id: file.id, name, action: 'create' },
  ])
  return {
    knowledge_pack: toUrl(ctx.baseUrl, 'knowledge_packs', pack),
    file: toUrl(ctx.baseUrl, 'files', file.id),
    task_run: file.run ? toUrl(ctx.baseUrl, 'task_runs', String(file.run)) : null,
  }
}

/** When the newest object changed; bundles in STIX 2.0 say no version of their own. */
const newestDay = (adversaries: Adversaries['adversaries']): string =>
  adversaries.reduce((newest, { object }) => {
    const day = textFrom(object.modified).slice(0, 10)
    return day > newest ? day : newest
  }, '')
