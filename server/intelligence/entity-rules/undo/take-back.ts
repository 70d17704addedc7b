import { type Tlp, tlpRank } from '../../../domain/tlp.ts'
import { convertBack, isConverted } from '../convert.ts'
import type { Effect } from '../effects.ts'
import type { State } from '../merge.ts'
import type { TargetType } from '../rule.ts'

/** What a rule did to an entity in a write. */
export interface EffectRow {
  readonly id: string
  readonly rule: number
  readonly write: string
  readonly effects: readonly Effect[]
}

/** An entity with everything that rules did to it and nobody has taken back yet. */
export interface Ruled {
  readonly state: State
  readonly datasets: readonly number[]
  /** What is to be taken back, the newest first. */
  readonly targets: readonly EffectRow[]
  /** What stays. */
  readonly others: readonly EffectRow[]
}

export interface TakenBack {
  readonly state: State
  /** The datasets to remove the entity from. */
  readonly leaves: readonly number[]
  readonly undone: number
  /** Why effects were kept, by the id of their row. */
  readonly kept: ReadonlyMap<string, readonly string[]>
}

const SHARED = 'Another rule, or a run that stays, does the same.'

/** An entity while effects on it are taken back. */
interface Progress {
  state: State
  datasets: readonly number[]
  readonly others: readonly EffectRow[]
}

/**
 * Takes back what rules did to an entity, as far as it is still as they left it and nothing else that stays does the same. Of several effects on
 * the same value, only the newest is taken back: it knows what was there before.
 */
export function takeBack({ state, datasets, targets, others }: Ruled): TakenBack {
  const kept = new Map<string, string[]>()
  const handled = new Set<string>()
  const progress: Progress = { state, datasets, others }
  let undone = 0
  for (const row of targets) {
    for (const effect of row.effects) {
      const subject = subjectOf(effect)
      if (handled.has(subject)) continue
      handled.add(subject)
      const reason = undo(progress, row, effect)
      if (reason === undefined) undone++
      else kept.set(row.id, [...new Set([...(kept.get(row.id) ?? []), reason])])
    }
  }
  return { state: progress.state, leaves: datasets.filter((id) => !progress.datasets.includes(id)), undone, kept }
}

/** What an effect is about: newer effects on it replace older ones. */
const subjectOf = ({ kind, value }: Effect): string =>
  kind === 'tlp' || kind === 'alias' || kind === 'converted' ? kind : `${kind.replace(/_.*/, '')} ${value}`

/** Takes one effect back, or gives the reason why it stays. */
function undo(now: Progress, row: EffectRow, effect: Effect): string | undefined {
  const { state } = now
  if (effect.kind === 'tag_added' || effect.kind === 'tag_removed') {
    const result = undoMember(now, effect, state.tags)
    if (typeof result === 'string') return result
    now.state = { ...state, tags: result }
  } else if (effect.kind === 'taxonomy_added' || effect.kind === 'taxonomy_removed') {
    const result = undoMember(now, effect, state.taxonomies)
    if (typeof result === 'string') return result
    now.state = { ...state, taxonomies: [...result].sort((a, b) => a - b) }
  } else if (effect.kind === 'dataset_added') {
    const result = undoMember(now, effect, now.datasets)
    if (typeof result === 'string') return result
    now.datasets = result
  } else if (effect.kind === 'tlp') return undoColour(now, row, effect)
  else if (effect.kind === 'alias') {
    if (state.alias !== effect.value) return 'The alias was changed since.'
    now.state = { ...state, alias: effect.before }
  } else if (effect.kind === 'converted') {
    if (!isConverted(state.data, effect.value as TargetType)) return 'The type was changed since.'
    const restored = convertBack(state.data, effect.before, effect.was_family)
    if ('fault' in restored) return 'The former type refuses what the entity has now.'
    now.state = { ...state, data: restored.data }
  }
  return undefined
}

const NAMES: Readonly<Record<string, string>> = { tag: 'tag', taxonomy: 'taxonomy', dataset: 'dataset' }

/** Takes back that a value was added to a list, or removed from it. */
function undoMember<T extends string | number>(
  { others }: Progress,
  { kind, value }: { readonly kind: Effect['kind']; readonly value: T },
  list: readonly T[],
): T[] | string {
  const isShared = others.some(({ effects }) => effects.some((each) => each.kind === kind && each.value === value))
  if (isShared) return SHARED
  const name = NAMES[kind.replace(/_.*/, '')]
  if (kind.endsWith('_removed')) {
    return list.includes(value) ? `The ${name} was added again since.` : [...list, value]
  }
  return list.includes(value) ? list.filter((each) => each !== value) : `The ${name} was removed since.`
}

type Coloured = Extract<Effect, { kind: 'tlp' }>

/** The colours that other rules gave in the same write remain: the most restrictive of them applies. */
function undoColour(now: Progress, row: EffectRow, { value, before }: Coloured): string | undefined {
  const inWrite = now.others.filter(({ write }) => write === row.write)
  const rest = strictestOf(inWrite)
  const isShadowed = rest !== null && tlpRank(rest) >= tlpRank(value)
  if (isShadowed) return rest === value ? SHARED : undefined
  if (now.state.colour !== value) return 'The colour was changed since.'
  now.state = { ...now.state, colour: rest ?? before }
  return undefined
}

const strictestOf = (rows: readonly EffectRow[]): Tlp | null =>
  rows
    .flatMap(({ effects }) => effects.flatMap((effect) => (effect.kind === 'tlp' ? [effect.value] : [])))
    .reduce<Tlp | null>((most, tlp) => (most === null || tlpRank(tlp) > tlpRank(most) ? tlp : most), null)
