import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { latestStateOf } from '../../background/owned-tasks.ts'
import { schedule } from '../../domain/schedule.ts'
import type { Context } from '../../engine/context.ts'
import { bool, computed, json, name, ref, refs, string, strings, text } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { defineResource } from '../../engine/resource.ts'
import { linksOf, resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { currentType } from '../../intelligence/entities/data/vendor-sighting.ts'
import { entityTypes } from '../../intelligence/entities/entity-data.ts'
import { storedQuery } from '../../intelligence/queries/stored-query.ts'
import { KEYWORD_FIELDS } from './criteria.ts'
import { discoveryRuleOperations } from './discovery-rule-operations.ts'
import { listHits } from './hits.ts'

const MAX_LIST_LENGTH = 200
const FIELDS = Object.keys(KEYWORD_FIELDS) as [keyof typeof KEYWORD_FIELDS]

/** A rule may find a hundred thousand entities: its record lists only the latest. */
const MAX_ENTITIES_SHOWN = 100

const type = string(1, 100)
  .overwrite(currentType)
  .pipe(z.enum(entityTypes, { error: `must be one of ${entityTypes.join(', ')}` }))

const found = (ctx: Context): RawBuilder<unknown> =>
  linksOf(ctx, { kind: 'refs', to: 'entities', through: 'discovered_entities', here: 'source' }, sql`t.id`)

const entities = refs('entities', 'discovered_entities', {
  shown: (ctx) => sql`(
    select coalesce(json_agg(s.id), '[]')
    from (select l.target as id ${found(ctx)} order by l.discovered_at desc, l.target limit ${MAX_ENTITIES_SHOWN}) as s)`,
})

export const discoveryRules = defineResource({
  collection: 'discovery_rules',
  title: 'Discovery rule',
  doc: 'Criteria for entities that analysts want to see as soon as they are stored. A rule finds what the user who last changed it can see.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().nullable(),
    is_active: bool().required().describe('Inactive rules find nothing.'),
    keywords: strings()
      .accepts(z.array(string(1, 500)).max(MAX_LIST_LENGTH))
      .describe('Words or phrases, one of which must occur.'),
    match_keywords_in: strings()
      .accepts(z.array(z.enum(FIELDS)).max(FIELDS.length))
      .default(FIELDS)
      .describe('Where keywords are searched; a tag is compared as a whole.'),
    entity_types: strings()
      .accepts(z.array(type).max(MAX_LIST_LENGTH))
      .describe('Only entities of these types; empty for all.'),
    search_query: text().accepts(storedQuery).nullable().describe('A Lucene query that must match as well.'),
    sources: refs('sources', 'discovery_rule_sources')
      .accepts(z.array(link('sources')).max(MAX_LIST_LENGTH))
      .describe('Only entities of these sources; empty for all.'),
    workspaces: refs('workspaces', 'discovery_rule_workspaces')
      .accepts(z.array(link('workspaces')).max(MAX_LIST_LENGTH))
      .describe(
        'The workspaces of the rule. Users who see one of them see the rule; a rule without workspaces is visible to all.',
      ),
    execution_schedule: json(schedule)
      .nullable()
      .default(null)
      .describe(
        'When it compares all entities again. Needed only for queries whose matches change without a write of the entity.',
      ),
    task: ref('tasks').nullable().readOnly().describe('The task that runs the rule.'),
    status: computed('text', z.string().nullable(), latestStateOf('t.task')).describe('The state of its latest run.'),
    problem: text().nullable().readOnly().describe('Why the rule cannot be compared with entities; null if it can.'),
    discovered_count: computed('integer', z.int(), (ctx) => sql`(select count(*)::integer ${found(ctx)})`).describe(
      'The number of entities it has found that you can see.',
    ),
    last_discovered_at: computed(
      'timestamptz',
      z.iso.datetime().nullable(),
      (ctx) => sql`(select max(l.discovered_at) ${found(ctx)})`,
    ).describe('When it last found an entity that you can see.'),
    entities: entities
      .linkable()
      .readOnly()
      .describe(
        `The latest ${MAX_ENTITIES_SHOWN} of them; all are at /discovery-rules/{id}/entities and in /entities?filter[discovery_rules]={id}.`,
      ),
    external_url: computed('text', z.url(), `'/discovery-rules/' || t.id`)
      .path()
      .describe('Its page in the web interface.'),
    owner: ref('users').nullable().hidden(),
    ...stamps,
  },
  visible: (ctx, t) => {
    const [id, owner] = [sql.ref(`${t}.id`), sql.ref(`${t}.owner`)]
    const linked = sql`select from discovery_rule_workspaces as v join workspaces as w on w.id = v.target
      where v.source = ${id}`
    return sql`(${owner} = ${ctx.caller.id} or not exists (${linked})
      or exists (${linked} and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'w')}))`
  },
  example: { name: 'Banking malware', is_active: true, keywords: ['emotet', 'trickbot'], entity_types: ['report'] },
  operations: discoveryRuleOperations,
  routes: (standard) => [listHits, ...standard],
})
