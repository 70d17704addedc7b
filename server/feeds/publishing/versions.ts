import { type RawBuilder, sql } from 'kysely'
import type { ContentItem } from '../../formats/items/content-item.ts'
import { laterVersion, revokedVersion } from '../../formats/stix2/versions.ts'
import { rowsOf, type Stage, stageItems } from './stage.ts'

interface Version extends Pick<ContentItem, 'key' | 'hash'> {
  readonly content: string
  /** The time of the next version: now, but always later than the version that consumers hold. */
  readonly next: string
}

const next = (at: string) => sql`greatest(${at}::timestamptz, d.held_modified + interval '1 millisecond') as next`

/**
 * Gives changed objects a later version than the one that consumers hold, if they do not have one, because consumers ignore objects that
 * are not newer. This happens if something other than the entity changed, such as the feed, and to objects that were revoked. Returns
 * the number of staged items.
 */
export async function raiseVersions(stage: Stage, at: string, staged: number): Promise<number> {
  const late = sql<Version>`
    select n.key, n.hash, n.content, ${next(at)}
    from feed_differences as d join feed_now as n on n.place = d.place
    where n.modified <= d.held_modified`
  return stageReplacements(stage, staged, rowsOf(stage, 'late_versions', late), laterVersion)
}

/** Adds a revoked version of every removed object that has versions; an empty hash marks revoked versions. */
export async function revokeGone(stage: Stage, at: string, staged: number, held: RawBuilder<unknown>): Promise<number> {
  const gone = sql<Version>`
    select d.key, ''::bytea as hash, h.content, ${next(at)}
    from feed_differences as d join ${held} as h on h.key = d.key
    where d.kind = 'went' and d.held_modified is not null
    order by d.key`
  const count = await stageReplacements(stage, staged, rowsOf(stage, 'gone_objects', gone), revokedVersion)
  await sql`update feed_differences set kind = 'revoked' where kind = 'went' and place is not null`.execute(stage)
  return count
}

/** Appends other versions of objects to the stage, and has them sent instead. */
async function stageReplacements(
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
