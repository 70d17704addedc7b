import { type Kysely, sql } from 'kysely'
import { syncOwnedSources } from '../../identity/owned-sources.ts'
import { adapters } from './adapters/adapters.ts'

/** Creates an inactive detonator for each adapter that this installation had none for yet. One that is deleted stays deleted. */
export async function shipDetonators(db: Kysely<unknown>): Promise<void> {
  const shipped = adapters.map(({ name, title, description, extractTypes, secrets }) => ({
    adapter: name,
    title,
    description,
    types: extractTypes,
    parameters: Object.fromEntries(secrets.map((secret) => [secret, null])),
  }))
  const { rows } = await sql<{ id: number }>`
    with fresh as (
      insert into shipped_detonators (adapter)
      select i.adapter from jsonb_to_recordset(${JSON.stringify(shipped)}::jsonb) as i(adapter text)
      where i.adapter not in (select adapter from shipped_detonators)
      returning adapter
    )
    insert into detonators (name, adapter, task_name, description, is_active, parameters, selected_extract_types, max_tlp)
    select i.adapter, i.adapter, i.title, i.description, false, i.parameters, array(select jsonb_array_elements_text(i.types)), 'GREEN'
    from jsonb_to_recordset(${JSON.stringify(shipped)}::jsonb) as i(
      adapter text, title text, description text, types jsonb, parameters jsonb)
    join fresh on fresh.adapter = i.adapter
    order by i.adapter
    on conflict do nothing
    returning id`.execute(db)
  const made = await syncOwnedSources(
    db,
    'detonators',
    rows.map(({ id }) => id),
  )
  // Not the time of the transaction: the source of the first group is listed before these.
  await sql`
    update sources set created_at = clock_timestamp(), last_updated_at = clock_timestamp()
    where id = any(${made}::uuid[])`.execute(db)
}
