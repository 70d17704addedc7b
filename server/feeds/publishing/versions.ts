import { type RawBuilder, sql } from 'kysely'
import type { ContentItem } from '../../formats/items/content-item.ts'
import { laterVersion, revokedVersion } from '../../formats/stix2/versions.ts'
import { rowsOf, type Stage, stageItems } from './stage.ts'

interface Version extends Pick<ContentItem, 'key' | 'hash'> {
  readonly content: string
  /** When the next version is made: now, and never at the time of the one that consumers hold, or before. */
  readonly next: string
}

const next = (at: string) => sql`greatest(${at}::timestamptz, d.held_modified + interval '1 millisecond') as next`

/**
 * Gives objects that changed a later version than the one that consumers hold, where they say none: consumers go by versions, and
 * pass over what is not newer. It happens where something else than the entity changed, as the feed itself did, and to what was
 * revoked. Gives how many pieces are staged then.
 */
export async function raiseVersions(stage: Stage, at: string, staged: number): Promise<number> {
  const late = sql<Version>`
    select n.key, n.hash, n.content, ${next(at)}
    from feed_differences as d join feed_now as n on n.place = d.place
    where n.modified <= d.held_modified`
  return stageAgain(stage, staged, rowsOf(stage, 'late_versions', late), laterVersion)
}

/** Adds a revoked version of every object that went, as far as it has versions; an empty hash tells those from all others. */
export async function revokeGone(stage: Stage, at: string, staged: number, held: RawBuilder<unknown>): Promise<number> {
  const gone = sql<Version>`
    select d.key, ''::bytea as hash, h.content, ${next(at)}
    from feed_differences as d join ${held} as h on h.key = d.key
    where d.kind = 'went' and d.held_modified is not null
    order by d.key`
  const count = await stageAgain(stage, staged, rowsOf(stage, 'gone_objects', gone), revokedVersion)
  await sql`update feed_differences set kind = 'revoked' where kind = 'went' and place is not null`.execute(stage)
  return count
}

/** Stages other versions behind what is staged, and has them sent instead. */
async function stageAgain(
  stage: Stage,
  staged: number,
  versions: AsyncIterable<Version>,
  write: (object: string, modified: string) => string,
): Promise<number> {
  const items = async function* (): AsyncGenerator<ContentItem> {
    for await (const { key, hash, content, next: modified } of versions)
      yield { key, hash, content: write(content, modified), subject: null, modified, version: modified }
  }
  const count = await stageItems(stage, items(), staged)
  if (count === staged) return count
  await sql`
    update feed_differences as d set place = n.place
    from feed_now as n
    where n.place > ${staged} and n.key = d.key`.execute(stage)
  return count
}
