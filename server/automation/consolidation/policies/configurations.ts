import { sql } from 'kysely'
import { z } from 'zod'
import type { Context, Item } from '../../../engine/context.ts'
import type { Resource } from '../../../engine/definition.ts'
import { notFound } from '../../../engine/errors.ts'
import { found, oneOf, ref, refs, strings } from '../../../engine/field.ts'
import { link } from '../../../engine/link.ts'
import { routesBelow } from '../../../engine/nested-routes.ts'
import type { Id } from '../../../engine/reference.ts'
import { defineResource } from '../../../engine/resource.ts'
import type { Route } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { stamps } from '../../../engine/stamps.ts'
import { readOnly, standard } from '../../../engine/standard.ts'
import { touch } from '../../../engine/write.ts'
import { refuseBadConfigurations } from './check-configurations.ts'
import { HALF_LIFE_CHOICES, TLP_CHOICES } from './choices.ts'
import { configuredTypes, MAX_SOURCES } from './configured.ts'
import { startPolicyRuns } from './policy-runs.ts'

const configurations = defineResource({
  collection: 'consolidation_configurations',
  title: 'Consolidation configuration',
  doc: 'Which entities a policy consolidates, and how a unified entity gets its half-life and colour.',
  // Only the id distinguishes configurations, so there are no bulk writes.
  key: ['policy_id'],
  permission: 'rules',
  fields: {
    policy_id: ref('consolidation_rules').readOnly(),
    entity_types: strings()
      .accepts(configuredTypes)
      .required()
      .describe('Entities of these types. Only entities of the same type are joined.'),
    sources: refs('sources', 'consolidation_configuration_sources')
      .accepts(z.array(link('sources')).max(MAX_SOURCES))
      .describe('Only entities of these sources; empty for all.'),
    half_life_choice: oneOf(HALF_LIFE_CHOICES)
      .required()
      .describe(
        'Whose half-life a unified entity has: the highest or lowest one, the latest entity or the preferred source.',
      ),
    tlp_choice: oneOf(TLP_CHOICES)
      .required()
      .describe(
        'Whose colour a unified entity has; highest is the most restrictive. Contributors with a more restrictive colour contribute nothing to its content.',
      ),
    preferred_source: ref('sources')
      .nullable()
      .describe('Its values come first. Required if a choice is preferred_source.'),
    ...stamps,
  },
  search: { filters: { owner: found('consolidation_rules', 't.policy_id') } },
  example: { entity_types: ['threat-actor', 'intrusion-set'], half_life_choice: 'latest', tlp_choice: 'highest' },
  operations: {
    ...readOnly,
    create: async (ctx, resource, { owner, ...item }: Item) => {
      const policy = Number(owner)
      await lockPolicy(ctx, policy)
      const { id } = await standard.create(ctx, withWrittenPolicy, { ...item, policy_id: policy })
      return completed(ctx, resource, id)
    },
    update: async (ctx, resource, id, patch: Item) => {
      await lockPolicy(ctx, await policyOf(ctx, id))
      await standard.update(ctx, resource, id, patch)
      return completed(ctx, resource, id)
    },
    remove: async (ctx, resource, ids) => {
      // Only one is deleted at a time.
      const policy = await policyOf(ctx, ids[0] ?? 0)
      await standard.remove(ctx, resource, ids)
      await policyChanged(ctx, policy)
    },
  },
})

/** The policy comes from the path. Clients, which cannot set it, send it back. */
const withWrittenPolicy: Resource = {
  ...configurations,
  fields: { ...configurations.fields, policy_id: ref('consolidation_rules').hidden() },
}

async function completed(ctx: Context, resource: Resource, id: Id) {
  await refuseBadConfigurations(ctx, id)
  await policyChanged(ctx, await policyOf(ctx, id))
  return standard.get(ctx, resource, id)
}

/** Shows the change in the history of the policy, and starts a run. */
async function policyChanged(ctx: Context, policy: Id): Promise<void> {
  await touch(ctx, resourceOf(ctx, 'consolidation_rules'), policy)
  await startPolicyRuns(ctx, [policy])
}

/** Makes concurrent writes of the configurations of a policy wait, so that each is compared with the others. */
async function lockPolicy({ db }: Context, id: Id): Promise<void> {
  await sql`select from consolidation_rules where id = ${id} for no key update`.execute(db)
}

async function policyOf({ db }: Context, id: Id): Promise<number> {
  const { rows } = await sql<{ policy_id: number }>`
    select policy_id from consolidation_configurations where id = ${id}`.execute(db)
  if (!rows[0]) throw notFound(id)
  return rows[0].policy_id
}

async function requireBelow(ctx: Context, owner: Id, id: Id): Promise<void> {
  if ((await policyOf(ctx, id)) !== owner) throw notFound(id)
}

export const configurationRoutes: readonly Route[] = routesBelow(
  {
    owners: 'consolidation_rules',
    segment: 'configurations',
    verbs: ['list', 'get', 'create', 'update', 'delete'],
    check: requireBelow,
  },
  configurations,
)
