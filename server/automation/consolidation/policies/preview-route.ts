import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../../engine/action.ts'
import type { Context } from '../../../engine/context.ts'
import { badRequest } from '../../../engine/errors.ts'
import { requireVisible } from '../../../engine/fetch.ts'
import { link } from '../../../engine/link.ts'
import type { Id, Link } from '../../../engine/reference.ts'
import type { Route } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { configurationFaults, overlapOf } from './check-configurations.ts'
import { HALF_LIFE_CHOICES, TLP_CHOICES } from './choices.ts'
import { configuredTypes, MAX_SOURCES } from './configured.ts'
import { preview } from './preview.ts'

const MAX_CONFIGURATIONS = 50

const idOf = ({ id }: Link): string => String(id)

const configuration = z.looseObject({
  entity_types: configuredTypes,
  sources: z
    .array(link('sources').transform(idOf))
    .max(MAX_SOURCES)
    .nullish()
    .transform((sources) => sources ?? []),
  half_life_choice: z.enum(HALF_LIFE_CHOICES).default('latest'),
  tlp_choice: z.enum(TLP_CHOICES).default('highest'),
  preferred_source: link('sources').transform(idOf).nullable().default(null),
})

const body = z.looseObject({
  id: z.int().optional().describe('The saved policy that it replaces.'),
  merge_group: link('groups')
    .transform(({ id }): Id => id)
    .nullish(),
  configurations: z.array(configuration).min(1).max(MAX_CONFIGURATIONS),
})

const reason = { kind: z.string(), value: z.string() }

const result = z.object({
  judged: z.int().describe('The number of entities that were compared, the newest first.'),
  is_sample: z.boolean().describe('Whether there are more entities than were compared.'),
  groups: z.int().describe('The number of unified entities.'),
  contributors: z.int().describe('The number of entities that would contribute to one.'),
  by_type: z.array(z.object({ type: z.string(), groups: z.int(), contributors: z.int() })),
  by_key: z
    .array(z.object({ kind: z.string(), count: z.int() }))
    .describe('The number of contributors by the kind of key that would join them.'),
  suggestions: z.int().describe('The number of pairs that a user would have to decide about.'),
  samples: z.array(
    z.object({
      type: z.string(),
      title: z.string(),
      contributors: z.array(z.object({ entity: z.url(), title: z.string(), source_name: z.string() })),
      keys: z.array(z.object(reason)),
    }),
  ),
  switched_off: z
    .array(z.object({ ...reason, members: z.int() }))
    .describe('Keys that would join nothing, because too many entities share them.'),
})

const route = defineAction({
  name: 'preview_consolidation_rules',
  doc: 'Show what a saved or unsaved policy would join among the newest entities that you see; nothing is stored',
  tag: 'consolidation_rules',
  method: 'POST',
  path: '/consolidation-rules/preview',
  permission: 'modify rules',
  // It writes nothing, and may take longer than a transaction should.
  isDetached: true,
  body,
  example: { configurations: [{ entity_types: ['threat-actor', 'intrusion-set'] }] },
  result,
  refusals: [404, 422],
  run: async (ctx, { id, merge_group: group, configurations }) => {
    if (id !== undefined) await requireVisible(ctx, resourceOf(ctx, 'consolidation_rules'), id)
    const faults = [...(await unknownAmong(ctx, group ?? null, configurations)), ...faultsOf(configurations)]
    if (faults.length > 0) throw badRequest(faults)
    return preview(ctx, id ?? null, configurations)
  },
})

/** Shows what a policy would join, without storing anything. */
export const previewPolicy: Route = { ...route, guards: () => ['read entities'] }

type Configurations = z.output<typeof body>['configurations']

/** What does not fit together, within a configuration and between two. */
const faultsOf = (configurations: Configurations): string[] =>
  configurations.flatMap((each, i) => [
    ...configurationFaults(each).map((fault) => `configurations[${i}].${fault}`),
    ...configurations.slice(0, i).flatMap((other, j) => {
      const types = overlapOf(other, each)
      return types.length > 0
        ? [`configurations[${i}]: configurations[${j}] already covers ${types.join(', ')} of the same sources`]
        : []
    }),
  ])

/** The named group and sources that do not exist. */
async function unknownAmong({ db }: Context, group: Id | null, configurations: Configurations): Promise<string[]> {
  const named = configurations.flatMap(({ sources, preferred_source }, i) => [
    ...sources.map((id, place) => ({ path: `configurations[${i}].sources[${place}]`, id })),
    ...(preferred_source === null ? [] : [{ path: `configurations[${i}].preferred_source`, id: preferred_source }]),
  ])
  const { rows } = await sql<{ id: string }>`
    select id::text from sources where id = any(${named.map(({ id }) => id)}::uuid[])
    union all
    select id::text from groups where id = ${group}::integer`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  return [
    ...(group !== null && !known.has(String(group)) ? [`merge_group: there is no '${group}' in groups.`] : []),
    ...named.flatMap(({ path, id }) => (known.has(id) ? [] : [`${path}: there is no '${id}' in sources.`])),
  ]
}
