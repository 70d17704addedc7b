import { sql } from 'kysely'
import { z } from 'zod'
import { among, bool, computed, json, name, oneOf, refs, strings, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { externalReferences } from '../external-reference.ts'
import { DEFENSE_TYPES, MATRICES } from '../frameworks/framework.ts'
import { defenseOperations } from './defense-operations.ts'

/** The domains of the defense `t`. Those of an own one follow its techniques, or those of the defenses that refer to it. */
const DOMAINS = `case when t.is_system then t.domains else array(
  select distinct n.matrix
  from defense_relationships as r join attack_nodes as n on n.id = r.technique
  where r.defense in (
    select t.id union all
    select i.from_defense from defense_inner_relationships as i where i.to_defense = t.id)
  order by 1) end`

const inDomain = among(MATRICES, (_, values) => sql`(${sql.raw(DOMAINS)}) && ${values}::text[]`)

const domain = z.enum(MATRICES)
const mutableElement = z.object({ field: z.string(), description: z.string() })

export const attackDefenses = defineResource({
  collection: 'attack_defenses',
  title: 'Attack defense',
  doc: 'Something that mitigates or detects techniques. Those of frameworks are read-only; your own survive new versions.',
  permission: 'attack',
  key: ['type', 'name'],
  fields: {
    name: name(),
    type: oneOf(DEFENSE_TYPES).required(),
    description: text().default('').describe('Of a framework: empty until you load the official bundle.'),
    domains: computed('text[]', z.array(domain), DOMAINS).describe(
      'Of your own defenses, the matrices of their techniques. Empty if no version that is loaded has the defense any more.',
    ),
    matrix: computed('text', domain.nullable(), `(${DOMAINS})[1]`).describe('Deprecated: the first of the domains.'),
    external_references: json(externalReferences).readOnly(),
    external_id: text().nullable().readOnly().describe('The id of the publisher, such as M1031; null for your own.'),
    stix_id: text().nullable().readOnly(),
    related_defenses: refs('attack_defenses', 'attack_defense_links').describe(
      'What it refers to: the analytics of a detection strategy, the data components of an analytic.',
    ),
    source_defenses: refs('attack_defenses', 'attack_defense_links', { inverse: true })
      .writeOnly()
      .describe('The defenses that refer to it. They may belong to a framework.'),
    related_techniques: refs('attacks', 'attack_defense_techniques')
      .writeOnly()
      .describe('The techniques that it mitigates, or that it detects if it is no mitigation.'),
    mitre_platforms: strings().nullable().readOnly().describe('Null unless it is an analytic of a framework.'),
    mutable_elements: json(z.array(mutableElement))
      .nullable()
      .readOnly()
      .describe('What to adapt to your environment. Null unless it is an analytic of a framework.'),
    is_system: bool().readOnly().describe('Whether it belongs to a framework and is read-only.'),
    own: text().nullable().default('own').hidden(),
    ...stamps,
  },
  search: {
    filters: {
      type: among(DEFENSE_TYPES, (_, values) => sql`t.type = any(${values}::text[])`),
      domains: inDomain,
      matrix: inDomain,
      source_defenses: refs('attack_defenses', 'attack_defense_links', { inverse: true }),
      related_techniques: refs('attacks', 'attack_defense_techniques'),
    },
  },
  example: {
    name: 'Block macros from the internet',
    type: 'mitigation',
    description: 'Set by group policy on all clients.',
    related_techniques: ['TA0001:T1566.001'],
  },
  operations: defenseOperations,
})
