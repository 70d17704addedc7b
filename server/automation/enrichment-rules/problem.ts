import { type RawBuilder, sql } from 'kysely'
import { stateOf } from '../enrichers/enricher-state.ts'
import { ENRICH_PERMISSIONS } from '../enrichers/runs/enrich-tasks.ts'

const SAVE_AGAIN = 'Save the rule again to take it over.'

/** The names of the enrichers of the rule `t` that are in a state. */
const named = (state: string): RawBuilder<unknown> => sql`(
  select string_agg('''' || e.name || '''', ', ' order by l.position)
  from (select l.target, l.position from enrichment_rule_enrichers as l where l.source = t.id) as l
  cross join lateral (select t.name, ${stateOf()} as state from enrichers as t where t.id = l.target) as e
  where e.state = ${state})`

/** The permissions that the owner of the rule `t` lacks. */
const lacking = sql`(
  select string_agg(n.name, ', ' order by n.name)
  from unnest(${ENRICH_PERMISSIONS}::text[]) as n(name)
  where not exists (
    select from user_permissions as l join permissions as p on p.id = l.target where l.source = t.owner and p.name = n.name))`

/** Why the active rule `t` does not look up everything that it should, in sentences; null if it does. */
export const problemOf = (): RawBuilder<unknown> => sql`case when t.is_active then nullif(concat_ws(' ',
  case
    when not exists (select from users as u where u.id = t.owner and u.is_active) then
      'The rule runs with the permissions of the user who last saved it, but that account does not exist or is inactive. ' || ${SAVE_AGAIN}::text
    when ${lacking} is not null then
      'The rule runs with the permissions of the user who last saved it, who lacks: ' || ${lacking} || '. ' || ${SAVE_AGAIN}::text
  end,
  case when not exists (select from enrichment_rule_enrichers as l where l.source = t.id) then 'The rule has no enrichers.' end,
  'These enrichers are not active and are left out: ' || ${named('INACTIVE')} || '.',
  'The functions of these enrichers do not exist in this installation: ' || ${named('NOT_INSTALLED')} || '.',
  'These enrichers are suspended, and look-ups wait until they are resumed: ' || ${named('SUSPENDED')} || '.',
  case when exists (
    select from jsonb_to_recordset(t.criteria) as c(source uuid)
    where c.source is not null and not exists (select from sources as s where s.id = c.source)
  ) then 'Criteria name a source that was deleted, and match nothing.' end), '') end`
