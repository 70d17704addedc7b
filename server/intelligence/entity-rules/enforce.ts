import { sql } from 'kysely'
import { tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { inTurns } from '../../engine/in-turns.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { compose } from '../entities/compose.ts'
import type { ObservableLink } from '../entities/observables-in.ts'
import type { StoredEntity } from '../entities/store.ts'
import { type AliasMaker, aliasMaker } from './alias.ts'
import { type Candidates, candidatesAmong } from './candidates.ts'
import { type Converted, convert } from './convert.ts'
import { judge } from './judge.ts'
import { type Merged, merge, type State } from './merge.ts'
import { lackOf, ownersOf } from './owners.ts'
import { partsChanged, readsAny } from './parts.ts'
import { type CurrentRules, currentRules } from './read-rules.ts'
import type { Rule } from './rule.ts'

/** How often the effects of rules may make others match within a write. */
const MAX_ROUNDS = 3

/** All aliases of a write together may take this long. */
const ALIAS_BUDGET_MS = 2000

/** An entity that is about to be stored. */
export interface Draft {
  readonly entity: StoredEntity
  readonly observables: readonly ObservableLink[]
  /** The parts that the write changes: only rules that read one of them act. Without it, all rules act. */
  readonly changed?: ReadonlySet<string> | undefined
}

/** An entity after its rules. */
export interface Enforced {
  readonly own: State
  /** The entity to store; the given one if no rule changed it. */
  readonly entity: StoredEntity
  readonly merged: Merged | undefined
  /** The rules that acted, oldest first. */
  readonly rules: readonly Rule[]
}

/** The rules during a write. */
export interface Enforcement {
  readonly ctx: Context
  readonly current: CurrentRules
  readonly rules: readonly Rule[]
  readonly candidates: Candidates
  readonly aliases: ReadonlyMap<number, AliasMaker>
  /** Why rules did not act, and what did not work when they did. */
  readonly problems: Map<number, string>
  readonly warnings: Map<number, string>
  /** The rules that acted anywhere in the write. */
  readonly acted: Set<number>
  /** The rules whose criteria were compared with entities. */
  readonly compared: Set<number>
}

/** Prepares the active rules for a write; undefined if there are none. */
export async function prepareRules(ctx: Context): Promise<Enforcement | undefined> {
  const current = await currentRules(ctx)
  return current.rules.length === 0 ? undefined : enforcementOf(ctx, current)
}

/** Prepares rules for a write. */
export async function enforcementOf(ctx: Context, current: CurrentRules): Promise<Enforcement> {
  const owners = await ownersOf(ctx, current.rules)
  const problems = new Map<number, string>()
  const rules = current.rules.filter((rule) => {
    const lack = lackOf(rule, owners.get(rule.owner ?? 0))
    if (lack !== undefined) problems.set(rule.id, lack)
    return lack === undefined
  })
  return {
    ctx,
    current,
    rules,
    candidates: candidatesAmong(rules, owners),
    aliases: new Map(rules.flatMap(({ id, alias }) => (alias ? [[id, aliasMaker(alias)]] : []))),
    problems,
    warnings: new Map(),
    acted: new Set(),
    compared: new Set(),
  }
}

/** An entity during the rounds of a write. */
interface Subject {
  readonly draft: Draft
  readonly own: State
  entity: StoredEntity
  merged: Merged | undefined
  readonly acted: Map<number, Rule>
  /** What the last round changed; undefined stands for everything. */
  changed: ReadonlySet<string> | undefined
}

/**
 * Applies rules to entities before they are stored. All rules judge the same state; their effects are merged without order, and may make
 * further rules match. `mayBegin` tells which rules may act in the first round.
 */
export async function enforce(
  force: Enforcement,
  drafts: readonly Draft[],
  mayBegin: (rule: Rule) => boolean = () => true,
): Promise<Enforced[]> {
  const subjects = drafts.map((draft): Subject => {
    const { entity, changed } = draft
    return { draft, own: stateOf(entity), entity, merged: undefined, acted: new Map(), changed }
  })
  const sourceNames = await namesOfSources(force, subjects)
  const tools = toolsFor(force, sourceNames)
  let pending: readonly Subject[] = subjects
  for (let round = 1; pending.length > 0; round++) {
    const matches = await matching(force, pending, round === 1 ? mayBegin : () => true)
    if (round > MAX_ROUNDS) {
      for (const rule of [...matches.values()].flat())
        force.warnings.set(
          rule.id,
          `It was not applied where it would have been the ${MAX_ROUNDS + 1}th of a chain of rules.`,
        )
      break
    }
    await inTurns([...matches], ([subject, rules]) => advance(force, subject, rules, tools))
    pending = [...matches.keys()].filter(({ changed }) => changed !== undefined && changed.size > 0)
  }
  return subjects.map(({ own, entity, merged, acted }) => ({
    own,
    entity,
    merged,
    rules: [...acted.values()].sort((a, b) => a.id - b.id),
  }))
}

/** The rules that match entities now and have not acted on them yet. */
async function matching(
  force: Enforcement,
  pending: readonly Subject[],
  mayAct: (rule: Rule) => boolean,
): Promise<Map<Subject, Rule[]>> {
  const found = new Map<Subject, Rule[]>()
  const asked = new Map<string, { readonly subject: Subject; readonly rules: Rule[] }>()
  const add = (subject: Subject, rule: Rule) => found.set(subject, [...(found.get(subject) ?? []), rule])
  for (const subject of pending) {
    const { entity, changed, acted } = subject
    for (const rule of force.candidates(entity)) {
      if (acted.has(rule.id) || !mayAct(rule) || (changed && !readsAny(rule, changed))) continue
      if (!rule.query) {
        add(subject, rule)
        continue
      }
      const known = asked.get(entity.id)
      if (known) known.rules.push(rule)
      else asked.set(entity.id, { subject, rules: [rule] })
    }
  }
  if (asked.size === 0) return found
  const judged = [...asked.values()].map(({ subject: { entity, draft }, rules }) => ({
    entity,
    observables: draft.observables,
    rules,
  }))
  const { matched, problems } = await judge(force.ctx, judged, (id) => force.current.problems.has(id))
  for (const [id, problem] of problems) force.problems.set(id, problem)
  for (const { id } of judged.flatMap(({ rules }) => rules)) if (!problems.has(id)) force.compared.add(id)
  for (const [id, { subject, rules }] of asked) {
    for (const rule of rules) {
      if (matched.get(id)?.has(rule.id)) add(subject, rule)
      else if (problems.has(rule.id) && rule.tlp !== null) add(subject, safeguard(rule, subject.own))
    }
  }
  return found
}

/** What a rule does where its criteria cannot be compared: it may only make the colour more restrictive. */
const safeguard = (rule: Rule, own: State): Rule => ({
  ...rule,
  addTags: [],
  removeTags: [],
  addTaxonomies: [],
  removeTaxonomies: [],
  datasets: [],
  alias: null,
  target: null,
  tlp: rankOfColour(rule.tlp) > rankOfColour(own.colour) ? rule.tlp : own.colour,
})

const rankOfColour = (colour: State['colour']): number => tlpRank(colour ?? 'NONE')

interface Tools {
  aliasOf(rule: Rule, own: State, entity: StoredEntity): string | undefined
  convert(rule: Rule, own: State): Converted
}

function toolsFor(force: Enforcement, sourceNames: ReadonlyMap<number, string>): Tools {
  let left = ALIAS_BUDGET_MS
  return {
    convert: ({ target }, own) => (target === null ? { fault: 'there is no target type' } : convert(own.data, target)),
    aliasOf: (rule, own, entity) => {
      const make = force.aliases.get(rule.id)
      if (!make) return undefined
      if (left <= 0) {
        force.warnings.set(rule.id, 'Its regular expression took too long, so that not all entities got an alias.')
        return undefined
      }
      const began = performance.now()
      const { title, type } = own.data
      const source = sourceNames.get(sourceOf(entity.vis)) ?? ''
      const alias = make({ title: String(title ?? ''), type, source })
      left -= performance.now() - began
      return alias
    },
  }
}

/** Lets further rules act on an entity, in addition to those that have. */
function advance(force: Enforcement, subject: Subject, rules: readonly Rule[], tools: Tools): void {
  const { own, entity: before, draft, acted } = subject
  for (const rule of rules) {
    acted.set(rule.id, rule)
    force.acted.add(rule.id)
  }
  const merged = merge(own, [...acted.values()], {
    aliasOf: (rule) => tools.aliasOf(rule, own, draft.entity),
    convert: (rule) => tools.convert(rule, own),
  })
  for (const [rule, warning] of merged.warnings) force.warnings.set(rule, warning)
  const isOther = (Object.keys(merged.state) as (keyof State)[]).some((name) => !isSame(merged.state[name], own[name]))
  subject.merged = merged
  subject.entity = isOther ? composed(draft.entity, merged.state) : draft.entity
  subject.changed = before === subject.entity ? new Set() : partsChanged(before, subject.entity)
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => each === b[i]))

/** The parts of an entity that rules change. */
export const stateOf = ({ data, meta }: StoredEntity): State => ({
  data: data as State['data'],
  tags: meta.tags,
  taxonomies: meta.taxonomies,
  colour: (meta.tlp_color ?? null) as State['colour'],
  alias: meta.alias ?? null,
})

/** An entity with other values of the parts that rules change. */
export function composed(entity: StoredEntity, { data, tags, taxonomies, colour, alias }: State): StoredEntity {
  const { alias: _, ...meta } = entity.meta
  const own = stateOf(entity)
  // The colour is not in the search vector, which takes most of the time.
  const isFoundAlike =
    data === own.data && alias === own.alias && isSame(tags, own.tags) && isSame(taxonomies, own.taxonomies)
  return compose({
    id: entity.id,
    data,
    meta: { ...meta, ...(alias !== null && { alias }), tags: [...tags], tlp_color: colour },
    sourceNumber: sourceOf(entity.vis),
    downgrade: 'RED',
    taxonomies,
    attacks: entity.meta.attacks,
    search: isFoundAlike ? entity.search : undefined,
  })
}

/** The names of the sources that templates name, in one statement. */
async function namesOfSources(
  { ctx, rules }: Enforcement,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<number, string>> {
  if (!rules.some(({ alias }) => alias?.template.includes('{source}'))) return new Map()
  const numbers = [...new Set(subjects.map(({ entity }) => sourceOf(entity.vis)))]
  const { rows } = await sql<{ number: number; name: string }>`
    select number, name from sources where number = any(${numbers}::integer[])`.execute(ctx.db)
  return new Map(rows.map(({ number, name }) => [number, name]))
}
