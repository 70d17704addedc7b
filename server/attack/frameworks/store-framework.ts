import { type Kysely, sql } from 'kysely'
import type { Framework } from './framework.ts'

/** Where a framework comes from. */
export interface Origin {
  readonly version: string
  /** The hash of the document; null for the facts that came with the product. */
  readonly hash: string | null
  /** The user who loaded it. */
  readonly user: number | null
}

/**
 * Stores a version of a matrix over the one that is stored. What is not in it any more is marked as deprecated, because something may refer to it;
 * relationships of the framework that are not in it any more are deleted. What users made is kept, also a relationship that the framework
 * stated for a while as well. Needs a transaction.
 */
export async function storeFramework(db: Kysely<unknown>, framework: Framework, origin: Origin): Promise<void> {
  await storeNodes(db, framework, origin)
  await storeDefenses(db, framework)
  await storeLinks(db, framework)
  await storeInnerLinks(db, framework)
  await storeProcedures(db, framework)
  // Without statistics of what was just stored, PostgreSQL expects no row and compares all with all.
  await sql`analyze attack_nodes, attack_defenses, defense_relationships, defense_inner_relationships, log_sources`.execute(
    db,
  )
}

async function storeNodes(db: Kysely<unknown>, { matrix, nodes, notice }: Framework, origin: Origin): Promise<void> {
  const { version, hash, user } = origin
  await sql`
    insert into frameworks (matrix, version, notice, hash, loaded_by) values (${matrix}, ${version}, ${notice}, ${hash}, ${user})
    on conflict (matrix) do update set (version, notice, hash, loaded_at, loaded_by) =
      (excluded.version, excluded.notice, excluded.hash, now(), excluded.loaded_by)`.execute(db)
  // Facts without texts do not replace those that were loaded.
  await sql`
    with given as materialized (
      select n.* from jsonb_to_recordset(${JSON.stringify(nodes)}::jsonb) as n(id text, type text, parent text, name text, description text,
        position integer, platforms text[], stix_id text, external_id text, short_name text, external_references jsonb, state text, successors text[])
    ), gone as (
      update attack_nodes as t
      set state = 'deprecated', until = ${version}
      where t.matrix = ${matrix} and t.state = 'live' and t.id not in (select id from given)
    )
    insert into attack_nodes as t (id, matrix, type, parent, name, description, position, platforms, stix_id, external_id, short_names,
      external_references, state, successors, since, until)
    select g.id, ${matrix}, g.type, g.parent, g.name, g.description, g.position, g.platforms, g.stix_id, g.external_id,
      array_remove(array[g.short_name], null), g.external_references, g.state, g.successors, ${version},
      case when g.state <> 'live' then ${version} end
    from given as g
    on conflict (id) do update set
      (matrix, type, parent, name, description, position, platforms, stix_id, external_id, short_names, external_references, state, successors, until) =
      (excluded.matrix, excluded.type, excluded.parent, excluded.name, coalesce(nullif(excluded.description, ''), t.description),
        excluded.position, excluded.platforms, excluded.stix_id, excluded.external_id,
        array(select distinct unnest(t.short_names || excluded.short_names) order by 1), excluded.external_references, excluded.state,
        excluded.successors, case when excluded.state <> 'live' then coalesce(t.until, excluded.until) end)`.execute(db)
}

async function storeDefenses(db: Kysely<unknown>, { matrix, defenses }: Framework): Promise<void> {
  // The same defense may be in several domains. One that is in none any more is kept, because users may have said how far it is built.
  await sql`
    with given as materialized (
      select n.* from jsonb_to_recordset(${JSON.stringify(defenses)}::jsonb) as n(stix_id text, type text, external_id text, name text,
        description text, external_references jsonb, platforms text[], mutable_elements jsonb)
    ), gone as (
      update attack_defenses as t
      set domains = array_remove(t.domains, ${matrix})
      where t.is_system and ${matrix} = any(t.domains) and t.stix_id not in (select stix_id from given)
    )
    insert into attack_defenses as t (type, stix_id, external_id, name, description, domains, external_references, mitre_platforms,
      mutable_elements, is_system)
    select g.type, g.stix_id, g.external_id, g.name, g.description, array[${matrix}], g.external_references,
      case when g.type = 'analytic' then g.platforms end, case when g.type = 'analytic' then g.mutable_elements end, true
    from given as g
    order by g.type, g.external_id, g.stix_id
    on conflict (stix_id) do update set (type, external_id, name, description, domains, external_references, mitre_platforms, mutable_elements) =
      (excluded.type, excluded.external_id, excluded.name, coalesce(nullif(excluded.description, ''), t.description),
        array(select distinct unnest(t.domains || excluded.domains) order by 1), excluded.external_references, excluded.mitre_platforms,
        excluded.mutable_elements)`.execute(db)
}

async function storeLinks(db: Kysely<unknown>, { matrix, links }: Framework): Promise<void> {
  await sql`
    with given as materialized (
      select distinct on (d.id, n.id, g.type) d.id as defense, n.id as technique, g.type, g.description
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as g(type text, defense text, technique text, description text)
      join attack_defenses as d on d.stix_id = g.defense
      join attack_nodes as n on n.external_id = g.technique and n.matrix = ${matrix} and n.state = 'live'
    ), dropped as materialized (
      select t.id, t.created_by
      from defense_relationships as t join attack_nodes as n on n.id = t.technique
      where n.matrix = ${matrix} and t.is_system and (t.defense, t.technique, t.type) not in (select defense, technique, type from given)
    ), gone as (
      delete from defense_relationships as t using dropped as d where t.id = d.id and d.created_by is null
    ), own_again as (
      update defense_relationships as t set is_system = false from dropped as d where t.id = d.id and d.created_by is not null
    )
    insert into defense_relationships as t (defense, technique, type, description, is_system)
    select defense, technique, type, description, true from given
    order by technique, type, defense
    on conflict (defense, technique, type) do update
    set description = case when t.created_by is null then coalesce(nullif(excluded.description, ''), t.description) else t.description end,
      is_system = true`.execute(db)
}

async function storeInnerLinks(db: Kysely<unknown>, { matrix, inner_links }: Framework): Promise<void> {
  await sql`
    with given as materialized (
      select distinct f.id as from_defense, o.id as to_defense, g.type, coalesce(g.name, '') as name, coalesce(g.channel, '') as channel
      from jsonb_to_recordset(${JSON.stringify(inner_links)}::jsonb) as g(type text, "from" text, "to" text, name text, channel text)
      join attack_defenses as f on f.stix_id = g.from
      join attack_defenses as o on o.stix_id = g.to
    ), dropped as materialized (
      select t.id, t.created_by
      from defense_inner_relationships as t join attack_defenses as f on f.id = t.from_defense
      where t.is_system and (${matrix} = any(f.domains) or f.domains = '{}')
        and (t.from_defense, t.to_defense, t.type, t.name, t.channel) not in (select from_defense, to_defense, type, name, channel from given)
    ), gone as (
      delete from defense_inner_relationships as t using dropped as d where t.id = d.id and d.created_by is null
    ), own_again as (
      update defense_inner_relationships as t set is_system = false from dropped as d where t.id = d.id and d.created_by is not null
    )
    insert into defense_inner_relationships (from_defense, to_defense, type, name, channel, is_system)
    select from_defense, to_defense, type, name, channel, true from given
    order by from_defense, to_defense, name, channel
    on conflict (from_defense, to_defense, type, name, channel) do update set is_system = true`.execute(db)
}

async function storeProcedures(db: Kysely<unknown>, { matrix, procedures = [] }: Framework): Promise<void> {
  // Facts without texts do not replace those that were loaded.
  if (procedures.length === 0) return
  await sql`delete from attack_procedures where matrix = ${matrix}`.execute(db)
  await sql`
    insert into attack_procedures (matrix, technique, text)
    select ${matrix}, g.technique, g.text
    from jsonb_to_recordset(${JSON.stringify(procedures)}::jsonb) as g(technique text, text text)`.execute(db)
}
