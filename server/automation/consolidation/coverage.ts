import { type Kysely, sql } from 'kysely'
import type { Choices } from './composing/contributor.ts'

interface Configuration extends Choices {
  readonly id: number
  readonly policy: number
  readonly types: readonly string[]
  /** The numbers of its sources; empty for all. */
  readonly sources: readonly number[]
}

interface Policy {
  readonly id: number
  readonly is_active: boolean
  /** The number of the source of its merge group. */
  readonly source: number
}

/** What applies where no policy does, because a person joined the entities. */
const DEFAULT_CHOICES: Choices = { half_life_choice: 'highest', tlp_choice: 'highest', preferred_source: null }

/** Which policies apply to which entities. */
export interface Coverage {
  /** The policies that join nothing further. */
  readonly frozen: ReadonlySet<number>
  /** The policy for entities of a type and the source with a number; null if there is none. */
  policyOf(type: string, source: number): number | null
  /** The number of the source of the merge group of a policy. */
  sourceOf(policy: number): number
  /** The choices of a policy for entities of a type from these sources: those of its oldest configuration for one of them. */
  choicesOf(policy: number | null, type: string, sources: readonly number[]): Choices
}

/** Reads the policies and their configurations. */
export async function readCoverage(db: Kysely<unknown>): Promise<Coverage> {
  const { rows } = await sql<{ policies: Policy[]; configurations: Configuration[] }>`
    select
      (select coalesce(json_agg(json_build_object('id', p.id, 'is_active', p.is_active, 'source', s.number)), '[]')
        from consolidation_rules as p join groups as g on g.id = p.merge_group join sources as s on s.id = g.source
      ) as policies,
      (select coalesce(json_agg(json_build_object('id', c.id, 'policy', c.policy_id, 'types', c.entity_types,
          'half_life_choice', c.half_life_choice, 'tlp_choice', c.tlp_choice,
          'preferred_source', (select number from sources where id = c.preferred_source),
          'sources', array(select s.number from consolidation_configuration_sources as l
            join sources as s on s.id = l.target where l.source = c.id)) order by c.policy_id, c.id), '[]')
        from consolidation_configurations as c
      ) as configurations`.execute(db)
  const { policies = [], configurations = [] } = rows[0] ?? {}
  return coverageOf(policies, configurations)
}

/** Expects the configurations in the order of their policies and ids. */
export function coverageOf(policies: readonly Policy[], configurations: readonly Configuration[]): Coverage {
  const sources = new Map(policies.map(({ id, source }) => [id, source]))
  const usable = configurations.filter(({ policy }) => sources.has(policy))
  const covers = ({ types, sources: only }: Configuration, type: string, source: number): boolean =>
    types.includes(type) && (only.length === 0 || only.includes(source))
  return {
    frozen: new Set(policies.filter(({ is_active }) => !is_active).map(({ id }) => id)),
    policyOf: (type, source) => usable.find((each) => covers(each, type, source))?.policy ?? null,
    sourceOf: (policy) => sources.get(policy) ?? 0,
    choicesOf: (policy, type, from) => {
      const own = usable.find((each) => each.policy === policy && from.some((source) => covers(each, type, source)))
      if (!own) return DEFAULT_CHOICES
      const { half_life_choice, tlp_choice, preferred_source } = own
      return { half_life_choice, tlp_choice, preferred_source }
    },
  }
}
