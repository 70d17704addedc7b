import { sql } from 'kysely'
import { fieldOrPlace, integer, type NamedFields, number, ready, text, time } from '../../search/sql/columns.ts'
import type { SearchField, SearchFields } from '../../search/sql/compile.ts'
import { matchesText } from '../../search/sql/leaf.ts'
import { condition, some } from '../../search/sql/parts.ts'

const ofBlob = (column: string) => sql`(select ${sql.ref(`b.${column}`)} from stored_blobs as b where b.key = t.sha256)`
const STATUS = sql`(select r.state from task_runs as r where r.id = t.run)`

/** A name matches as a whole, or by one of its words, which are separated by punctuation. */
const name: SearchField = {
  find: ready((leaf) =>
    condition(sql`(${matchesText(leaf, sql`folded(t.name)`)} or exists (
      select from regexp_split_to_table(folded(t.name), '[^[:alnum:]]+') as w(word) where ${matchesText(leaf, sql`w.word`)}))`),
  ),
  exists: condition(sql`t.name <> ''`),
}

const tags: SearchField = {
  find: ready((leaf) =>
    condition(sql`exists (select from unnest(t.tags) as w(tag) where ${matchesText(leaf, sql`folded(w.tag)`)})`),
  ),
  exists: condition(sql`t.tags <> '{}'`),
}

const fields: NamedFields = {
  id: () => integer('id'),
  name: () => name,
  content_type: () => text(sql`t.content_type`),
  format: () => text(sql`t.format`, condition(sql`t.format is not null`)),
  status: () => text(STATUS, condition(sql`${STATUS} is not null`)),
  size: () => number(ofBlob('size')),
  tags: () => tags,
  'hashes.md5': () => text(ofBlob('md5')),
  'hashes.sha1': () => text(ofBlob('sha1')),
  'hashes.sha256': () => text(sql`t.sha256`),
  created_at: (search) => time('created_at', search),
  last_updated_at: (search) => time('last_updated_at', search),
}

/** The names of the searchable fields of files. */
export const fileFieldNames: readonly string[] = Object.keys(fields)

/** The searchable fields of files. */
export const fileFields: SearchFields = {
  names: fileFieldNames,
  field: (search, each) => fieldOrPlace(fields, [], search, each),
  defaults: (_, leaf) => {
    const found = [name.find(leaf), text(sql`t.sha256`).find(leaf), text(ofBlob('md5')).find(leaf)]
    return { part: () => some(found.map((find) => find())) }
  },
}
