import type { Context } from '../../../engine/context.ts'
import type { Finding, FoundAttack, FoundEntity } from '../../../formats/finding.ts'
import { readSetting } from '../../../settings/setting.ts'
import { type Nodes, readNodes } from '../nodes.ts'
import { idsInTexts, wordsInRules } from './entity-texts.ts'
import { isKnown, ruleAttacks, withMentioned } from './rule-attacks.ts'
import type { RuleWords } from './rule-words.ts'
import { attackClassification } from './setting.ts'

type EntityFinding = Extract<Finding, { kind: 'entity' }>

/** What the texts and the detection rules of an entity say about attack frameworks. */
interface Said {
  readonly ids: readonly string[]
  readonly rules: readonly RuleWords[]
}

const NOTHING: Said = { ids: [], rules: [] }
const SHOWN_IDS = 30

/** Adds what the texts and detection rules of entities say to what they are classified with, as far as the settings allow. */
export async function withAttacksInTexts<L extends { readonly finding: Finding }>(
  ctx: Pick<Context, 'db' | 'vault'>,
  located: readonly L[],
): Promise<L[]> {
  const said = located.map(({ finding }) => (finding.kind === 'entity' ? saidIn(finding.entity) : NOTHING))
  if (said.every(isNothing)) return [...located]
  const { texts, detection_rules } = await readSetting(ctx.db, attackClassification)
  if (!texts && !detection_rules) return [...located]
  const nodes = await readNodes(ctx)
  return located.map((each, i) => {
    const { ids, rules } = said[i] ?? NOTHING
    const used = { ids: texts ? ids : [], rules: detection_rules ? rules : [] }
    const { finding } = each
    return finding.kind !== 'entity' || isNothing(used) ? each : { ...each, finding: classified(finding, used, nodes) }
  })
}

const saidIn = (entity: FoundEntity): Said => ({ ids: idsInTexts(entity), rules: wordsInRules(entity) })

const isNothing = ({ ids, rules }: Said): boolean => ids.length === 0 && rules.length === 0

function classified(finding: EntityFinding, { ids, rules: said }: Said, nodes: Nodes): EntityFinding {
  const { entity, notes = [] } = finding
  // A text may say anything, so that an unknown id is more likely no id at all than one of a later version.
  const [known, unknown] = parted(ids, (id) => isKnown(nodes, id) || isKnown(nodes, techniqueIn(id)))
  const rules = said.map((words) => withMentioned(nodes, words))
  const unknownInRules = said.flatMap(({ mentioned }) => mentioned.filter((id) => !isKnown(nodes, id)))
  const attacks: FoundAttack[] = [
    ...known.map((id) => attackIn(id, nodes)),
    ...rules.flatMap((words) => ruleAttacks(nodes, words)),
  ]
  const others = rules.flatMap((words) => words.others)
  const named = rules.flatMap(({ techniques, tactics }) => [
    ...techniques,
    ...tactics.filter((name) => nodes.tacticsNamed(name).length > 0),
  ])
  const lines = [
    ...lineOf('Classified with attack nodes named in its texts', known),
    ...lineOf('Classified with attack nodes named in its detection rules', named),
    ...lineOf(
      'Its texts contain what looks like attack nodes, but is unknown in the loaded versions and was not used',
      [...unknown, ...unknownInRules],
    ),
    ...lineOf('Its detection rules name groups, software or other objects, to which it was not linked', others),
  ]
  return {
    ...finding,
    entity: { ...entity, ...(attacks.length > 0 && { attacks: [...(entity.attacks ?? []), ...attacks] }) },
    ...(lines.length > 0 && { notes: [...notes, ...lines] }),
  }
}

const techniqueIn = (id: string): string => id.slice(id.indexOf(':') + 1)

/** A place that does not exist, such as a technique below a tactic of another version, is meant as the technique. */
function attackIn(id: string, nodes: Nodes): FoundAttack {
  if (nodes.get(id)) return { id }
  const colon = id.indexOf(':')
  return colon < 0 ? { id } : { id: techniqueIn(id), tactics: [{ name: id.slice(0, colon) }] }
}

function parted<T>(all: readonly T[], isFirst: (each: T) => boolean): readonly [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
}

function lineOf(text: string, words: readonly string[]): string[] {
  const all = [...new Set(words)]
  if (all.length === 0) return []
  const more = all.length > SHOWN_IDS ? ` and ${all.length - SHOWN_IDS} more` : ''
  return [`${text}: ${all.slice(0, SHOWN_IDS).join(', ')}${more}.`]
}
