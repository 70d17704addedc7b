import { idOf } from '../../api/lists.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { CONSOLIDATED_TYPES, type Configuration, type HalfLifeChoice, type Policy, type TlpChoice } from './policy.ts'

/** The values of the form of a configuration. */
export interface ConfigurationValues {
  /** Tells configurations apart while they are edited. */
  readonly key: string
  /** The id of the stored configuration; absent for a new one. */
  readonly id?: number
  readonly entityTypes: readonly string[]
  /** Ids. */
  readonly sources: readonly string[]
  readonly halfLife: HalfLifeChoice
  readonly tlp: TlpChoice
  /** The id of a source; empty for none. */
  readonly preferredSource: string
}

/** The values of the form of a policy. */
export interface PolicyValues {
  readonly name: string
  readonly mergeGroup: string
  readonly isActive: boolean
  readonly configurations: readonly ConfigurationValues[]
}

/** The names of the fields that can show a validation error. */
export const POLICY_FIELDS = ['name', 'merge_group', 'is_active']
export const CONFIGURATION_FIELDS = ['entity_types', 'sources', 'half_life_choice', 'tlp_choice', 'preferred_source']

/** The values of a new configuration: all types, and choices that hide nothing. */
export const newConfiguration = (
  key: string,
  entityTypes: readonly string[] = CONSOLIDATED_TYPES,
): ConfigurationValues => ({
  key,
  entityTypes,
  sources: [],
  halfLife: 'highest',
  tlp: 'highest',
  preferredSource: '',
})

/** The values of a stored configuration. */
export const configurationValues = (stored: Configuration): ConfigurationValues => ({
  key: String(stored.id),
  id: stored.id,
  entityTypes: stored.entity_types,
  sources: stored.sources.map(idOf),
  halfLife: stored.half_life_choice,
  tlp: stored.tlp_choice,
  preferredSource: stored.preferred_source === null ? '' : idOf(stored.preferred_source),
})

/** The values of a stored policy, or of a new one. */
export const policyValues = (policy?: Policy, configurations: readonly Configuration[] = []): PolicyValues => ({
  name: policy?.name ?? '',
  mergeGroup: policy ? idOf(policy.merge_group) : '',
  isActive: policy?.is_active ?? true,
  configurations: policy ? configurations.map(configurationValues) : [newConfiguration('first')],
})

/** The request body of a configuration. */
export const configurationBody = (values: ConfigurationValues) => ({
  entity_types: values.entityTypes,
  sources: values.sources,
  half_life_choice: values.halfLife,
  tlp_choice: values.tlp,
  preferred_source: values.preferredSource || null,
})

/** The request body of a policy; instead of an empty name, the server composes one. */
export const policyBody = ({ name, mergeGroup, isActive }: PolicyValues) => ({
  name: name.trim(),
  merge_group: mergeGroup === '' ? null : Number(mergeGroup),
  is_active: isActive,
})

/**
 * What has to be written so that the stored configurations become those of the form. Two of them may not cover the same entities at any
 * time, so those that give up a type come first.
 */
export function configurationChanges(
  stored: readonly ConfigurationValues[],
  wanted: readonly ConfigurationValues[],
): {
  readonly created: readonly ConfigurationValues[]
  readonly changed: readonly ConfigurationValues[]
  readonly deleted: readonly number[]
} {
  const before = new Map(stored.flatMap((each) => (each.id === undefined ? [] : [[each.id, each] as const])))
  const kept = new Set(wanted.map(({ id }) => id))
  const hasLost = (values: ConfigurationValues) => {
    const known = values.id === undefined ? undefined : before.get(values.id)
    return known?.entityTypes.some((type) => !values.entityTypes.includes(type)) ?? false
  }
  const isChanged = (values: ConfigurationValues) =>
    values.id !== undefined &&
    JSON.stringify(configurationBody(values)) !==
      JSON.stringify(before.has(values.id) && configurationBody(before.get(values.id) ?? values))
  return {
    created: wanted.filter(({ id }) => id === undefined),
    changed: wanted.filter(isChanged).toSorted((a, b) => Number(hasLost(b)) - Number(hasLost(a))),
    deleted: [...before.keys()].filter((id) => !kept.has(id)),
  }
}

/** Why a policy cannot be previewed yet; undefined if it can. */
export function lackOf({ configurations }: Pick<PolicyValues, 'configurations'>): string | undefined {
  if (configurations.length === 0) return 'Add a configuration to see what the policy would join.'
  if (configurations.some(({ entityTypes }) => entityTypes.length === 0))
    return 'Choose entity types in every configuration.'
  const isPreferring = ({ halfLife, tlp }: ConfigurationValues) =>
    halfLife === 'preferred_source' || tlp === 'preferred_source'
  if (configurations.some((each) => isPreferring(each) && each.preferredSource === ''))
    return 'Choose the preferred source.'
  if (configurations.some((each) => isOutside(each)))
    return 'The preferred source must be one of the sources of its configuration.'
  return overlapIn(configurations)
}

const isOutside = ({ sources, preferredSource }: ConfigurationValues): boolean =>
  preferredSource !== '' && sources.length > 0 && !sources.includes(preferredSource)

/** Which two configurations cover the same entities, as a sentence. */
function overlapIn(configurations: readonly ConfigurationValues[]): string | undefined {
  for (const [i, one] of configurations.entries())
    for (const [j, other] of configurations.slice(0, i).entries()) {
      const types = one.entityTypes.filter((type) => other.entityTypes.includes(type))
      const isShared =
        one.sources.length === 0 || other.sources.length === 0 || one.sources.some((id) => other.sources.includes(id))
      if (isShared && types.length > 0)
        return `Configurations ${j + 1} and ${i + 1} both cover ${types.map(entityTypeName).join(', ')} of the same sources.`
    }
  return undefined
}
