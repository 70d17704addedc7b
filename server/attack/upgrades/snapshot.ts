import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Framework, Matrix } from '../frameworks/framework.ts'

type Db = Context['db']

/** The columns that a load changes. */
const NODE = [
  'matrix',
  'type',
  'parent',
  'name',
  'description',
  'position',
  'platforms',
  'stix_id',
  'external_id',
  'short_names',
  'external_references',
  'state',
  'successors',
  'since',
  'until',
]
const DEFENSE = [
  'type',
  'external_id',
  'name',
  'description',
  'external_references',
  'mitre_platforms',
  'mutable_elements',
]

/** Columns of a table, as a row. */
const columnsOf = (alias: string, names: readonly string[]) =>
  sql.raw(`(${names.map((name) => `${alias}.${name}`).join(', ')})`)
const setOf = (names: readonly string[]) => sql.raw(`(${names.join(', ')})`)

/** The rows of a matrix before a version is stored over it, as JSON: everything that storing the version may change. */
export async function snapshotOf(db: Db, { matrix, defenses }: Framework): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`
    with d as materialized (
      select * from attack_defenses
      where is_system and (${matrix} = any(domains) or domains = '{}' or stix_id = any(${defenses.map(({ stix_id }) => stix_id)}::text[]))
    )
    select json_build_object(
      'framework', (select to_json(f) from frameworks as f where f.matrix = ${matrix}),
      'nodes', (select coalesce(json_agg(n), '[]') from attack_nodes as n where n.matrix = ${matrix}),
      'defenses', (select coalesce(json_agg(d), '[]') from d),
      'links', (
        select coalesce(json_agg(r), '[]')
        from defense_relationships as r join attack_nodes as n on n.id = r.technique where n.matrix = ${matrix}),
      'inner_links', (select coalesce(json_agg(r), '[]') from defense_inner_relationships as r where r.from_defense in (select id from d)),
      'procedures', (select coalesce(json_agg(p), '[]') from attack_procedures as p where p.matrix = ${matrix}),
      'log_sources', (select coalesce(json_agg(s.id), '[]') from log_sources as s))::text as snapshot`.execute(db)
  return rows[0]?.snapshot ?? ''
}

/**
 * Puts a matrix back to a snapshot. What users made since stays, and so do nodes and defenses that they use: these are deprecated and have no
 * domain. Call it after objects were re-mapped back; `restoreEntities` does so for entities, as late as possible, because others cannot change them
 * from then on. With `isLatest`, no other matrix was loaded since, and texts of shared defenses go back too.
 */
export async function restoreSnapshot(
  db: Db,
  matrix: Matrix,
  snapshot: string,
  isLatest: boolean,
  restoreEntities: () => Promise<unknown>,
): Promise<void> {
  await sql`create temporary table former on commit drop as select ${snapshot}::json as framework`.execute(db)
  for (const [name, table] of Object.entries(FORMER))
    await sql`create temporary table ${sql.table(`former_${name}`)} on commit drop as
      select r.* from former as f cross join lateral json_populate_recordset(null::${sql.table(table)}, f.framework -> ${sql.lit(name)}) as r`.execute(
      db,
    )
  await sql`analyze former_nodes, former_defenses, former_links, former_inner_links`.execute(db)
  await restoreInnerLinks(db, matrix)
  await restoreLinks(db, matrix)
  await restoreDefenses(db, matrix, isLatest)
  await restoreProcedures(db, matrix)
  await sql`
    delete from log_sources as t
    where t.id not in (select s::text::integer from former as f cross join json_array_elements(f.framework -> 'log_sources') as s)
      and not t.is_collected and t.owner is null and t.note = '' and t.review_at is null
      and not exists (select from defense_inner_relationships as r where (r.name, r.channel) = (t.name, t.channel))`.execute(
    db,
  )
  await sql`
    update frameworks as t
    set (version, notice, hash, loaded_at, loaded_by) =
      (f.version, f.notice, f.hash, f.loaded_at, (select u.id from users as u where u.id = f.loaded_by))
    from former as o cross join lateral json_populate_record(null::frameworks, o.framework -> 'framework') as f
    where t.matrix = f.matrix`.execute(db)
  await restoreEntities()
  await restoreNodes(db, matrix)
  await sql`drop table former, former_nodes, former_defenses, former_links, former_inner_links`.execute(db)
}

async function restoreProcedures(db: Db, matrix: Matrix): Promise<void> {
  // Snapshots of earlier versions of Corvus do not have them.
  await sql`delete from attack_procedures where matrix = ${matrix}`.execute(db)
  await sql`
    insert into attack_procedures (matrix, technique, text)
    select p.matrix, p.technique, p.text
    from former as f
    cross join lateral json_populate_recordset(null::attack_procedures, coalesce(f.framework -> 'procedures', '[]')) as p`.execute(
    db,
  )
}

/** The parts of a snapshot that are rows, and their tables. */
const FORMER = {
  nodes: 'attack_nodes',
  defenses: 'attack_defenses',
  links: 'defense_relationships',
  inner_links: 'defense_inner_relationships',
} as const

async function restoreInnerLinks(db: Db, matrix: Matrix): Promise<void> {
  await sql`
    delete from defense_inner_relationships as t
    using attack_defenses as d
    where d.id = t.from_defense and t.is_system and d.is_system and (${matrix} = any(d.domains) or d.id in (select id from former_defenses))
      and (t.from_defense, t.to_defense, t.type, t.name, t.channel) not in (
        select from_defense, to_defense, type, name, channel from former_inner_links)`.execute(db)
  await sql`
    insert into defense_inner_relationships as t (id, from_defense, to_defense, type, name, channel, is_system, created_at, created_by, last_updated_at,
      last_updated_by)
    select f.id, f.from_defense, f.to_defense, f.type, f.name, f.channel, true, f.created_at, null, f.last_updated_at, null
    from former_inner_links as f
    where f.is_system
    order by f.id
    on conflict (from_defense, to_defense, type, name, channel) do nothing`.execute(db)
  // What users had made before the version brought or dropped the same.
  await sql`
    update defense_inner_relationships as t
    set is_system = f.is_system
    from former_inner_links as f
    where f.id = t.id and f.is_system <> t.is_system`.execute(db)
}

async function restoreLinks(db: Db, matrix: Matrix): Promise<void> {
  await sql`
    delete from defense_relationships as t
    using attack_nodes as n
    where n.id = t.technique and n.matrix = ${matrix} and t.is_system
      and (t.defense, t.technique, t.type) not in (select defense, technique, type from former_links)`.execute(db)
  await sql`
    insert into defense_relationships as t (id, defense, technique, type, description, is_system, created_at, created_by, last_updated_at,
      last_updated_by)
    select f.id, f.defense, f.technique, f.type, f.description, true, f.created_at, null, f.last_updated_at, null
    from former_links as f
    where f.is_system
    order by f.id
    on conflict (defense, technique, type) do update set description = excluded.description
    where t.is_system and t.description <> excluded.description`.execute(db)
  await sql`
    update defense_relationships as t
    set is_system = f.is_system, description = case when f.is_system then t.description else f.description end
    from former_links as f
    where f.id = t.id and f.is_system <> t.is_system`.execute(db)
}

/** Whether a user made something of the defense `t`. */
const isUsedDefense = sql`(
  exists (select from defense_statuses as o where o.defense = t.id)
  or exists (select from defense_relationships as o where o.defense = t.id)
  or exists (select from defense_inner_relationships as o where o.from_defense = t.id)
  or exists (select from defense_inner_relationships as o where o.to_defense = t.id))`

async function restoreDefenses(db: Db, matrix: Matrix, isLatest: boolean): Promise<void> {
  const isNew = sql`t.is_system and ${matrix} = any(t.domains) and t.id not in (select id from former_defenses)`
  await sql`
    delete from attack_defenses as t where ${isNew} and t.domains = array[${matrix}::text] and not ${isUsedDefense}`.execute(
    db,
  )
  await sql`update attack_defenses as t set domains = array_remove(t.domains, ${matrix}) where ${isNew}`.execute(db)
  const domains = sql`array(
    select distinct o.domain from unnest(array_remove(t.domains, ${matrix})
      || case when ${matrix} = any(f.domains) then array[${matrix}::text] else '{}' end) as o(domain) order by 1)`
  await sql`
    update attack_defenses as t
    set domains = ${domains}
    from former_defenses as f
    where f.id = t.id and t.domains <> ${domains}`.execute(db)
  await sql`
    update attack_defenses as t
    set ${setOf(DEFENSE)} = row ${columnsOf('f', DEFENSE)}
    from former_defenses as f
    where f.id = t.id and (${isLatest} or t.domains = array[${matrix}::text])
      and row ${columnsOf('t', DEFENSE)} is distinct from row ${columnsOf('f', DEFENSE)}`.execute(db)
}

async function restoreNodes(db: Db, matrix: Matrix): Promise<void> {
  await sql`
    update attack_nodes as t
    set ${setOf(NODE)} = row ${columnsOf('f', NODE)}
    from former_nodes as f
    where f.id = t.id and row ${columnsOf('t', NODE)} is distinct from row ${columnsOf('f', NODE)}`.execute(db)
  // New nodes go, unless something uses them or what is below them.
  await sql`
    with recursive added as materialized (
      select t.id, t.parent from attack_nodes as t where t.matrix = ${matrix} and t.id not in (select id from former_nodes)
    ), used as (
      select a.id, a.parent
      from added as a
      where exists (select from attack_annotations as o where o.attack_node = a.id)
        or exists (select from defense_relationships as o where o.technique = a.id)
        or a.id in (
          select unnest(e.attacks) from entities as e
          where e.search @@ (select string_agg(format('''k%s%s''', chr(31), folded(id)), ' | ') from added)::tsquery)
      union
      select a.id, a.parent from used as u join added as a on a.id = u.parent
    ), gone as (
      delete from attack_nodes as t using added as a where a.id = t.id and a.id not in (select id from used)
    )
    update attack_nodes as t
    set state = 'deprecated', successors = '{}', until = (select framework #>> '{framework,version}' from former)
    from used as u
    where u.id = t.id and t.state = 'live'`.execute(db)
}
