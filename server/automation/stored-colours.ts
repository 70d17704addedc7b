import { tlpOf } from '../domain/tlp.ts'
import type { Context, Item } from '../engine/context.ts'
import { serverSetting } from '../settings/server.ts'
import { readSetting } from '../settings/setting.ts'

/** The fields of enrichers and detonators that are colours. */
const NAMES = ['max_tlp', 'tlp_color'] as const

/** Converts TLP 2.0 colours to the older ones that are stored. */
export async function withStoredColours(ctx: Context, items: readonly Item[]): Promise<Item[]> {
  if (!items.some((item) => NAMES.some((name) => typeof item[name] === 'string'))) return [...items]
  const { tlp_amber_strict_downgrade: downgrade } = await readSetting(ctx.db, serverSetting)
  return items.map((item) => ({
    ...item,
    ...Object.fromEntries(
      NAMES.flatMap((name) => (typeof item[name] === 'string' ? [[name, tlpOf(item[name], downgrade)]] : [])),
    ),
  }))
}
