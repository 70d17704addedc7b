import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { schedule } from '../../domain/schedule.ts'
import { bool, computed, json, name, ref, refs, string, strings, text } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { type Context, defineResource } from '../../engine/resource.ts'
import { linksOf, resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { currentType } from '../../intelligence/entities/data/vendor-sighting.ts'
import { entityTypes } from '../../intelligence/entities/entity-data.ts'
import { storedQuery } from '../../intelligence/queries/stored-query.ts'
import { KEYWORD_PLACES } from './criteria.ts'
import { operations } from './operations.ts'

const MOST = 200
const PLACES = Object.keys(KEYWORD_PLACES) as [keyof typeof KEYWORD_PLACES]

/** A rule may find a hundred thousand entities: its record shows the latest of them. */
const SHOWN = 100

const type = string(1, 100)
  .overwrite(currentType)
  .pipe(z.enum(entityTypes, { error: `must be one of ${entityTypes.join(', ')}` }))

const found = (ctx: Context): RawBuilder<unknown> =>
  linksOf(ctx, { kind: 'refs', to: 'entities', through: 'discovered_entities', here: 'source' }, sql`t.id`)

const entities = refs('entities', 'discovered_entities', {
  shown: (ctx) => sql`(
    select coalesce(json_agg(s.id), '[]')
    from (select l.target as id ${found(ctx)} order by l.discovered_at desc, l.target limit ${SHOWN}) as s)`,
})

export const discoveryRules = defineResource({
  collection: 'discovery_rules',
  title: 'Discovery rule',
  doc: 'What people want to be shown as soon as it is there, as far as the user who last changed the rule may see it.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().nullable(),
    is_active: bool().required().describe('Inactive rules look for nothing.'),
    keywords: strings()
      .accepts(z.array(string(1, 500)).max(MOST))
      .describe('Words or phrases, of which one must be there.'),
    match_keywords_in: strings()
      .accepts(z.array(z.enum(PLACES)).max(PLACES.length))
      .default(PLACES)
      .describe('Where keywords are looked for; a tag is compared as a whole.'),
    entity_types: strings().accepts(z.array(type).max(MOST)).describe('Only entities of these types; none means all.'),
    search_query: text().accepts(storedQuery).nullable().describe('A Lucene query that must match as well.'),
    sources: refs('sources', 'discovery_rule_sources')
      .accepts(z.array(link('sources')).max(MOST))
      .describe('Only what comes from these; none means all.'),
    workspaces: refs('workspaces', 'discovery_rule_workspaces')
      .accepts(z.array(link('workspaces')).max(MOST))
      .describe('Where it belongs. Whoever sees one of them sees the rule; one that has none is seen by all.'),
    execution_schedule: json(schedule)
      .nullable()
      .default({ cron: null, interval: 3600, time_zone: 'UTC' })
      .describe('How often it looks; null is only when somebody starts its task.'),
    task: ref('tasks').nullable().readOnly().describe('The task that looks.'),
    status: computed(
      'text',
      z.string().nullable(),
      'select r.state from task_runs as r where r.task = t.task order by r.created_at desc, r.id desc limit 1',
    ).describe('The state of its latest run.'),
    discovered_count: computed('integer', z.int(), (ctx) => sql`(select count(*)::integer ${found(ctx)})`).describe(
      'How many entities it has found that you see.',
    ),
    entities: entities
      .readOnly()
      .describe(
        `The latest ${SHOWN} of them; all are at /discovery-rules/{id}/entities and in /entities?filter[discovery_rules]={id}.`,
      ),
    external_url: computed('text', z.url(), `'/discovery-rules/' || t.id`).path().describe('Where people look at it.'),
    owner: ref('users').nullable().hidden(),
    ...stamps,
  },
  relations: ['entities'],
  visible: (ctx, t) => {
    const [id, owner] = [sql.ref(`${t}.id`), sql.ref(`${t}.owner`)]
    const linked = sql`select from discovery_rule_workspaces as v join workspaces as w on w.id = v.target
      where v.source = ${id}`
    return sql`(${owner} = ${ctx.caller.id} or not exists (${linked})
      or exists (${linked} and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'w')}))`
  },
  example: { name: 'Banking malware', is_active: true, keywords: ['emotet', 'trickbot'], entity_types: ['report'] },
  operations,
})
