import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { latestStateOf } from '../../background/owned-tasks.ts'
import type { Context } from '../../engine/context.ts'
import { bool, computed, json, name, oneOf, ref, refs, string, strings, text } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { currentType } from '../entities/data/vendor-sighting.ts'
import { entityTypes } from '../entities/entity-data.ts'
import { tlpInput } from '../entities/vocabulary.ts'
import { contentCriteria } from './criteria/content-criteria.ts'
import { entityRuleOperations } from './entity-rule-operations.ts'
import { previewRule } from './preview-route.ts'
import { ACTIONS, TARGET_TYPES } from './rule.ts'
import { undoRule } from './undo/undo-route.ts'

const MAX_LIST_LENGTH = 200

const tags = z
  .array(string(1, 500))
  .max(MAX_LIST_LENGTH)
  .overwrite((all) => [...new Set(all.map((tag) => tag.trim()))].filter((tag) => tag !== ''))

const type = string(1, 100)
  .overwrite(currentType)
  .pipe(z.enum(entityTypes, { error: `must be one of ${entityTypes.join(', ')}` }))

const nodes = z
  .array(z.union([z.string().min(1), z.int()], { error: 'must be an id, a URL or a path' }))
  .max(MAX_LIST_LENGTH)

/** What the rule `t` did to entities that the caller sees. */
const acts = (ctx: Context): RawBuilder<unknown> => sql`
  from entity_rule_effects as a
  where a.rule = t.id and ${visible(ctx, resourceOf(ctx, 'entity_rule_effects'), 'a')}`

export const entityRules = defineResource({
  collection: 'entity_rules',
  title: 'Entity rule',
  doc: 'Changes entities while they are written, before anybody can see them: tags, taxonomies, colour, datasets, alias and type. A rule acts with the permissions of the user who last saved it.',
  key: ['name'],
  permission: 'rules',
  fields: {
    name: name(),
    description: text().nullable(),
    is_active: bool().required().describe('Inactive rules do nothing.'),
    actions: strings()
      .accepts(z.array(z.enum(ACTIONS)).min(1).max(ACTIONS.length))
      .required()
      .describe('What it does. add_tags and remove_tags include taxonomies.'),
    entity_types: strings()
      .accepts(z.array(type).max(MAX_LIST_LENGTH))
      .describe('Only entities of these types; empty for all.'),
    sources: refs('sources', 'entity_rule_sources')
      .accepts(z.array(link('sources')).max(MAX_LIST_LENGTH))
      .describe('Only entities of these sources; empty for all.'),
    tlps: strings()
      .accepts(z.array(tlpInput).max(MAX_LIST_LENGTH))
      .describe('Only entities of these colours; empty for all. NONE includes entities without a colour.'),
    content_criteria: json(contentCriteria)
      .nullable()
      .default(null)
      .describe('What the content must match: a Lucene query, or a tree of conditions. Returned as it was sent.'),
    add_tags: strings().accepts(tags),
    remove_tags: strings().accepts(tags),
    add_taxonomies: refs('taxonomies', 'entity_rule_taxonomies').accepts(nodes),
    remove_taxonomies: refs('taxonomies', 'entity_rule_removed_taxonomies').accepts(nodes),
    taxonomies: refs('taxonomies', 'entity_rule_taxonomies').hidden().linkable(),
    datasets: refs('datasets', 'entity_rule_datasets')
      .accepts(z.array(link('datasets')).max(MAX_LIST_LENGTH))
      .linkable()
      .describe('The static datasets that add_to_set adds entities to.'),
    override_tlp: text()
      .accepts(tlpInput)
      .nullable()
      .describe('The colour that override_tlp gives. Of several rules, the most restrictive colour wins.'),
    title_pattern: text()
      .accepts(string(1, 500))
      .nullable()
      .describe(
        'A regular expression on the title (RE2 syntax). Its named groups can be used in the template; other titles get no alias.',
      ),
    alias_formatting_template: text()
      .accepts(string(1, 1000))
      .nullable()
      .describe(
        'The alias that set_alias gives, with {title}, {type}, {source} and the named groups of title_pattern.',
      ),
    vendorjson2_entity_type: oneOf(TARGET_TYPES)
      .nullable()
      .describe(
        'The type that convert_to_vendorjson2 converts to. A malware-family is malware of which is_family is true.',
      ),
    master_entity: ref('entities').nullable().describe('The entity to consolidate into. It is only stored.'),
    task: ref('tasks').nullable().readOnly().describe('The task that applies the rule to existing entities.'),
    status: computed('text', z.string().nullable(), latestStateOf('t.task')).describe('The state of its latest run.'),
    problem: text().nullable().readOnly().describe('Why it does not act at present; null if it does.'),
    warning: text().nullable().readOnly().describe('What did not work when it last acted; null if everything did.'),
    acted_count: computed('integer', z.int(), (ctx) => sql`(select count(*)::integer ${acts(ctx)})`).describe(
      'How often it changed an entity that you can see, as far as the history reaches back.',
    ),
    last_acted_at: computed(
      'timestamptz',
      z.iso.datetime().nullable(),
      (ctx) => sql`(select max(a.created_at) ${acts(ctx)})`,
    ).describe('When it last changed an entity that you can see.'),
    owner: ref('users').nullable().hidden(),
    has_sources: bool().default(false).hidden(),
    ...stamps,
  },
  example: {
    name: 'Raise partner intelligence',
    is_active: true,
    actions: ['override_tlp', 'add_tags'],
    override_tlp: 'AMBER',
    add_tags: ['partner'],
    content_criteria: 'data.title:emotet',
  },
  operations: entityRuleOperations,
  routes: (standard) => [previewRule, undoRule, ...standard],
})
