import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { logged } from '../../engine/log.ts'

/** An exported document with its counts. */
export interface WrittenBlock {
  readonly content_type: string
  readonly filename: string
  readonly run_id: string
  readonly sha256: string
  readonly items_count: number
  readonly losses_count: number
  readonly losses: string | null
  readonly signature: string | null
}

/** The fields of a stored block that the result of its run contains. */
export interface StoredBlock extends Pick<WrittenBlock, 'items_count' | 'losses_count' | 'filename'> {
  readonly id: number
  readonly size: number
}

/** The block of a run, if it has stored one. */
export async function blockOfRun({ db }: Pick<Context, 'db'>, run: string): Promise<StoredBlock | undefined> {
  const { rows } = await sql<StoredBlock>`
    select t.id, t.filename, t.items_count, t.losses_count, b.size
    from export_blocks as t join stored_blobs as b on b.key = t.sha256
    where t.run_id = ${run}`.execute(db)
  return rows[0]
}

/** Stores a block for the caller; a run that already stored one does not store another. */
export async function storeBlock(ctx: Context, block: WrittenBlock): Promise<StoredBlock> {
  await sql`
    with made as (
      insert into export_blocks
        (content_type, filename, run_id, sha256, items_count, losses_count, losses, signature, created_by)
      values (${block.content_type}, ${block.filename}, ${block.run_id}, ${block.sha256}, ${block.items_count},
        ${block.losses_count}, ${block.losses}, ${block.signature}, ${ctx.caller.id})
      on conflict (run_id) do nothing
      returning id
    ), ${logged(ctx, { collection: 'export_blocks' }, 'create', sql`made`)}
    select from made`.execute(ctx.db)
  const stored = await blockOfRun(ctx, block.run_id)
  if (!stored) throw new TypeError('The block was not stored.')
  return stored
}
