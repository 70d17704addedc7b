import { type RawBuilder, sql } from 'kysely'

/** Who is notified of the hits of the rule `r`, as rows of `user`: its owner, and the members of its workspaces. */
export const RECIPIENTS: RawBuilder<unknown> = sql`
  select r.owner as "user"
  union
  select c.target from discovery_rule_workspaces as l join workspace_collaborators as c on c.source = l.target
  where l.source = r.id
  union
  select m.target
  from discovery_rule_workspaces as l
  join workspace_groups as g on g.source = l.target
  join group_users as m on m.source = g.target
  where l.source = r.id`

/** At most this many titles are listed; further entities are counted. */
export const MAX_TITLES = 5

/** The title that is shown for the entity `e`. */
export const TITLE: RawBuilder<string> = sql`coalesce(nullif(e.meta ->> 'alias', ''), e.data ->> 'title', '')`
