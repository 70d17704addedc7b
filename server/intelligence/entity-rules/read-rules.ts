import { type Kysely, sql } from 'kysely'
import { TLP, type Tlp, tlpOf, tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { type ContentCriteria, queryOf } from './criteria/content-criteria.ts'
import { partsRead } from './criteria/query-fields.ts'
import { type Action, PART, type Rule, type TargetType } from './rule.ts'

/** The active rules at a moment. */
export interface RuleSet {
  readonly revision: string
  readonly rules: readonly Rule[]
}

/** The rules with the problems and warnings that they show at present. */
export interface CurrentRules extends RuleSet {
  readonly problems: ReadonlyMap<number, string>
  readonly warnings: ReadonlyMap<number, string>
}

/** The rules that any write read last. Their revision tells whether they are still current. */
const cache: { latest: RuleSet } = { latest: { revision: '', rules: [] } }

interface Head {
  readonly revision: string
  readonly states: readonly { readonly id: number; readonly problem: string | null; readonly warning: string | null }[]
}

/** The active rules, oldest first. They are read again only after one was changed. */
export async function currentRules({ db }: Pick<Context, 'db'>): Promise<CurrentRules> {
  const { rows } = await sql<Head>`
    select r.revision, array(
        select jsonb_build_object('id', t.id, 'problem', t.problem, 'warning', t.warning)
        from entity_rules as t where t.problem is not null or t.warning is not null
      ) as states
    from entity_rule_revision as r`.execute(db)
  const { revision = '', states = [] } = rows[0] ?? {}
  if (cache.latest.revision !== revision) cache.latest = await readActive(db)
  return {
    ...cache.latest,
    problems: new Map(states.flatMap(({ id, problem }) => (problem === null ? [] : [[id, problem]]))),
    warnings: new Map(states.flatMap(({ id, warning }) => (warning === null ? [] : [[id, warning]]))),
  }
}

async function readActive(db: Kysely<unknown>): Promise<RuleSet> {
  const { rows } = await sql<{ revision: string; rules: readonly Row[] }>`
    select r.revision, array(
      select ${asJson} from entity_rules as t where t.is_active order by t.id) as rules
    from entity_rule_revision as r`.execute(db)
  const { revision = '', rules = [] } = rows[0] ?? {}
  return { revision, rules: rules.map(ruleOf) }
}

/** One rule, active or not. */
export async function readRule(
  { db }: Pick<Context, 'db'>,
  id: number,
): Promise<(Rule & { readonly isActive: boolean }) | undefined> {
  const { rows } = await sql<{ rule: Row; is_active: boolean }>`
    select ${asJson} as rule, t.is_active from entity_rules as t where t.id = ${id}`.execute(db)
  const [found] = rows
  return found && { ...ruleOf(found.rule), isActive: found.is_active }
}

interface Row {
  readonly id: number
  readonly name: string
  readonly owner: number | null
  readonly actions: readonly Action[]
  readonly entity_types: readonly string[]
  readonly tlps: readonly string[]
  readonly sources: readonly number[]
  readonly has_sources: boolean
  readonly content_criteria: ContentCriteria | null
  readonly add_tags: readonly string[]
  readonly remove_tags: readonly string[]
  readonly add_taxonomies: readonly number[]
  readonly remove_taxonomies: readonly number[]
  readonly datasets: readonly number[]
  readonly override_tlp: string | null
  readonly title_pattern: string | null
  readonly template: string | null
  readonly target: TargetType | null
}

const targets = (table: string) =>
  sql`array(select l.target from ${sql.table(table)} as l where l.source = t.id order by 1)`

const asJson = sql`jsonb_build_object('id', t.id, 'name', t.name, 'owner', t.owner, 'actions', t.actions,
  'entity_types', t.entity_types, 'tlps', t.tlps, 'content_criteria', t.content_criteria,
'has_sources', t.has_sources, 'sources', array(
    select s.number from entity_rule_sources as l join sources as s on s.id = l.target where l.source = t.id order by 1),
  'add_tags', t.add_tags, 'remove_tags', t.remove_tags, 'add_taxonomies', ${targets('entity_rule_taxonomies')},
  'remove_taxonomies', ${targets('entity_rule_removed_taxonomies')}, 'datasets', ${targets('entity_rule_datasets')},
  'override_tlp', t.override_tlp, 'title_pattern', t.title_pattern, 'template', t.alias_formatting_template,
  'target', t.vendorjson2_entity_type)`

function ruleOf(row: Row): Rule {
  const does = (action: Action) => row.actions.includes(action)
  const { content_criteria: criteria, template } = row
  const query = criteria === null ? null : queryOf(criteria)
  const colours = row.tlps.map((name) => tlpOf(name, 'RED'))
  return {
    id: row.id,
    name: row.name,
    owner: row.owner,
    types: new Set(row.entity_types),
    sources: new Set(row.sources),
    lostSources: row.has_sources && row.sources.length === 0,
    ranks: new Set(colours.map(tlpRank)),
    query,
    isTree: typeof criteria === 'object',
    reads: new Set([
      ...(row.entity_types.length > 0 ? [PART.type] : []),
      ...(row.sources.length > 0 ? [PART.source] : []),
      ...(colours.length > 0 ? [PART.colour] : []),
      ...(query ? partsRead(query) : []),
    ]),
    addTags: does('add_tags') ? row.add_tags : [],
    removeTags: does('remove_tags') ? row.remove_tags : [],
    addTaxonomies: does('add_tags') ? row.add_taxonomies : [],
    removeTaxonomies: does('remove_tags') ? row.remove_taxonomies : [],
    datasets: does('add_to_set') ? row.datasets : [],
    tlp: does('override_tlp') ? colourNamed(row.override_tlp) : null,
    alias: does('set_alias') && template !== null ? { template, pattern: row.title_pattern } : null,
    target: does('convert_to_vendorjson2') ? row.target : null,
  }
}

const colourNamed = (name: string | null): Tlp | null =>
  name === null ? null : (TLP.find((known) => known === name) ?? tlpOf(name, 'RED'))
