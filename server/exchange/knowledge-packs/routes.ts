import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { get, requireVisible } from '../../engine/fetch.ts'
import { readId } from '../../engine/query.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { exportObjects } from '../../settings/transfer/export-objects.ts'
import {
  asDownload,
  fileNameOf,
  isPreview,
  previewed,
  showChange,
  shownChange,
  type TransferFile,
  transferFile,
} from '../../settings/transfer/file.ts'
import { install } from '../../settings/transfer/install.ts'
import { installAttackPack } from './attack/install-attack.ts'
import { noteInstalled, uninstall } from './installed.ts'

const about = { tag: 'knowledge_packs' }
const changes = z.array(shownChange)

const idOf = (ctx: Context, { params }: Incoming): Id => readId(resourceOf(ctx, 'knowledge_packs'), params.id ?? '')

const exportPack = defineAction({
  ...about,
  name: 'export_knowledge_pack',
  doc: 'Export a knowledge pack and everything it refers to as one file',
  method: 'GET',
  path: '/knowledge-packs/:id/export',
  permission: 'read knowledge-packs',
  refusals: [404],
  status: 200,
  run: async (ctx, _, request) => {
    const id = idOf(ctx, request)
    const row = await get(ctx, resourceOf(ctx, 'knowledge_packs'), id)
    return { row, objects: await exportObjects(ctx, new Map([['knowledge_packs', [id]]]), 'refuse') }
  },
  answer: ({ row, objects }) => asDownload({ knowledge_pack: String(row.name), objects }, fileNameOf(row)),
})

const installPack = defineAction({
  ...about,
  name: 'install_knowledge_pack',
  doc: 'Install a knowledge pack from its file; with `?preview=true`, only list what would change',
  method: 'POST',
  path: '/knowledge-packs/install',
  permission: 'install knowledge-packs',
  body: transferFile.omit({ settings: true }),
  example: {
    format: 'corvus-configuration',
    version: 1,
    knowledge_pack: 'Ransomware watch',
    objects: { knowledge_packs: [{ name: 'Ransomware watch', version: '1.2' }] },
  },
  result: z.object({ knowledge_pack: z.url().nullable(), changes }),
  run: async (ctx, file, request) => {
    const isOnly = isPreview(request)
    refuseWithoutPack(file)
    return previewed(ctx.db, isOnly, async () => {
      const made = await install(ctx, file.objects)
      const pack = made.find(({ collection }) => collection === 'knowledge_packs')
      if (!pack) throw new TypeError('The knowledge pack was not installed.')
      await noteInstalled(ctx, pack.id, made)
      const isNew = isOnly && pack.action === 'create'
      return {
        knowledge_pack: isNew ? null : toUrl(ctx.baseUrl, 'knowledge_packs', pack.id),
        changes: made.map((change) => showChange(ctx, change, isOnly)),
      }
    })
  },
})

/** Requires exactly one pack per file: otherwise it would be unclear which object came with which pack. */
function refuseWithoutPack({ knowledge_pack, objects }: Pick<TransferFile, 'knowledge_pack' | 'objects'>): void {
  const [pack, ...more] = objects.knowledge_packs ?? []
  if (!pack || more.length > 0) throw badRequest('objects.knowledge_packs: must contain exactly one knowledge pack')
  if (knowledge_pack !== pack.name)
    throw badRequest('knowledge_pack: must be the name of the one in objects.knowledge_packs')
}

const uninstallPack = defineAction({
  ...about,
  name: 'uninstall_knowledge_pack',
  doc: 'Uninstall a knowledge pack and delete what came with it; with `?preview=true`, only list what would be deleted',
  method: 'POST',
  path: '/knowledge-packs/:id/uninstall',
  permission: 'install knowledge-packs',
  result: z.object({ changes }),
  refusals: [404, 409],
  run: async (ctx, _, request) => {
    const id = idOf(ctx, request)
    await requireVisible(ctx, resourceOf(ctx, 'knowledge_packs'), id)
    const gone = await previewed(ctx.db, isPreview(request), () => uninstall(ctx, id))
    return { changes: gone.map((change) => showChange(ctx, change, false)) }
  },
})

export const packRoutes: readonly Route[] = [exportPack, installPack, installAttackPack, uninstallPack]
