import { sql } from 'kysely'
import { z } from 'zod'
import { among, computed, int, json, oneOf, ref, strings, text } from '../engine/field.ts'
import type { Filter, ListPlan } from '../engine/list-plan.ts'
import { defineResource } from '../engine/resource.ts'
import { readOnly, standard } from '../engine/standard.ts'
import { externalReferences } from './external-reference.ts'
import { MATRICES, NODE_STATES, NODE_TYPES } from './frameworks/framework.ts'

const pathNode = z.object({ id: z.string(), name: z.string(), type: z.enum(NODE_TYPES) })

/** The nodes from the matrix down to the node `t`. */
const FULL_PATH = `(
  with recursive above(id, name, type, parent, depth) as (
    select t.id, t.name, t.type, t.parent, 0
    union all
    select n.id, n.name, n.type, n.parent, a.depth + 1 from above as a join attack_nodes as n on n.id = a.parent
  )
  select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'type', type) order by depth desc) from above)`

const inMatrix = among(MATRICES, (_, values) => sql`t.matrix = any(${values}::text[])`)

const isAboutState = ({ path }: Filter): boolean => path === 'state' || path === 'id'

const onlyLive = (plan: ListPlan): ListPlan => ({
  ...plan,
  filters: [...plan.filters, { path: 'state', operator: '=', values: ['live'] }],
})

export const attacks = defineResource({
  collection: 'attacks',
  table: 'attack_nodes',
  title: 'Attack node',
  doc: 'A place in the matrix of an attack framework. A technique has one below each of its tactics. Lists leave out nodes that are not live, unless you filter by state.',
  permission: 'attack',
  key: ['id'],
  fields: {
    name: text().readOnly(),
    type: oneOf(NODE_TYPES).readOnly(),
    description: text().readOnly().describe('Empty until you load the official bundle.'),
    matrix: oneOf(MATRICES).readOnly(),
    parent: ref('attacks').nullable().readOnly(),
    full_path: computed('jsonb', z.array(pathNode), FULL_PATH).describe('From the matrix down to the node itself.'),
    external_references: json(externalReferences).readOnly(),
    external_id: text().readOnly().describe('The id of the publisher, such as T1566.001: the same in all places.'),
    stix_id: text().readOnly(),
    position: int().readOnly().describe('The order in the matrix.'),
    platforms: strings().readOnly(),
    state: oneOf(NODE_STATES)
      .readOnly()
      .describe('Nodes that are not live are kept, because something may refer to them.'),
    successors: strings().readOnly().describe('The ids of the live nodes that took the place of this one.'),
    since: text().readOnly().describe('The version of the framework in which the node appeared here.'),
    until: text().nullable().readOnly().describe('The version in which it was no longer live.'),
  },
  search: {
    filters: {
      type: among(NODE_TYPES, (_, values) => sql`t.type = any(${values}::text[])`),
      state: among(NODE_STATES, (_, values) => sql`t.state = any(${values}::text[])`),
      matrix: inMatrix,
      domains: inMatrix,
    },
  },
  operations: {
    ...readOnly,
    list: (ctx, resource, plan) =>
      standard.list(ctx, resource, plan.filters.some(isAboutState) ? plan : onlyLive(plan)),
  },
})
